"""Responses of a service, for the tests of its client."""

import json

from tests.rui_common.client.hostile import answers

UUID = "4be0643f-1d98-473b-97cd-ca98a65347dd"

SAVED = {
    "specId": UUID, "url": "http://a/api/specs/1", "viewUrl": "http://a/specs/1",
    "createdAt": "2026-01-31T09:15:00.123Z", "contentHash": "sha256:0", "validationVersion": "0.1",
    "registryVersion": "0.1", "normalizedRui": {},
}  # fmt: skip

STORED = answers(201, json.dumps(SAVED).encode())

VALID = answers(200, b'{"valid": true, "normalizedRui": {}}')

SOON = b'{"error": "STORAGE_UNAVAILABLE", "message": "Soon."}'
