"""The client of `rui_common` with the service."""

import json
from pathlib import Path

import pytest

from rui_common import fix
from rui_common.client import Client, InvalidRuiError, ServiceError, Validation
from rui_common.describe import full_example, minimal_example
from rui_common.hashing import content_hash
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_ERRORS
from tests.rui_api.live import Service
from tests.rui_common.client.responses import UUID

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_what_is_stored_can_be_fetched(service: Service) -> None:
    client = Client(service.url)
    assert client.validate(minimal_example()) == Validation(True, (), False, minimal_example())
    saved = client.store(full_example())
    assert client.fetch(saved.spec_id) == saved
    assert (saved.normalized_rui, saved.content_hash) == (full_example(), content_hash(full_example()))
    assert saved.view_url == f"{service.url}/specs/{saved.spec_id}"
    assert client.store(full_example()).spec_id != saved.spec_id
    for unknown in ("../..", "", "a/b?c#d", "{" + UUID + "}", UUID):
        with pytest.raises(ServiceError) as refused:
            client.fetch(unknown)
        assert refused.value.code in {"INVALID_SPEC_ID", "NOT_FOUND", "METHOD_NOT_ALLOWED"}


def test_warnings_are_given_on_request(service: Service) -> None:
    client = Client(service.url)
    doubtful = minimal_example() | {"meta": {"name": "Orders"}}
    (warning,) = client.validate(doubtful, warnings=True).warnings
    assert (warning.path, warning.code) == ("meta.name", "NOT_SHOWN")
    assert client.validate(doubtful | {"version": 1}, warnings=True).warnings == (warning,)
    assert client.store(doubtful, warnings=True).warnings == (warning,)
    assert (client.validate(doubtful).warnings, client.store(doubtful).warnings) == ((), ())


def test_fixes_are_given_on_request(service: Service) -> None:
    client = Client(service.url)
    draft = (EXAMPLES / "first-draft.rui.json").read_text()
    plain, result = client.validate(draft), client.validate(draft, fix=True)
    assert result.fixed is not None
    assert (plain.fixed, result._replace(fixed=None)) == (None, plain)
    assert client.validate(result.fixed.rui).errors == result.fixed.errors
    assert 0 < len(result.fixed.errors) < len(result.errors)
    assert len(result.fixed.applied) == len(fix(draft).applied)
    broken = json.dumps(minimal_example()).replace('"', "'")
    fixed = client.validate(broken, fix=True, warnings=True).fixed
    assert fixed is not None and (fixed.rui, fixed.errors) == (minimal_example(), ())
    for unfixable in ("", "[]", {**minimal_example(), "version": 1}, minimal_example()):
        result = client.validate(unfixable, fix=True)
        assert (result.fixed, result.fix_skipped) == (None, "")


MANY = {**minimal_example(), **{f"x{number}": 1 for number in range(MAX_ERRORS + 1)}}


@pytest.mark.parametrize(
    ("rui", "code", "count"),
    [
        ({**minimal_example(), "version": "9"}, "VERSION_MISMATCH", 1),
        (b"\xff", "INVALID_JSON", 1),
        ('"\ud800"', "INVALID_JSON", 1),
        (" " * (MAX_BODY_BYTES + 1), "INVALID_JSON", 1),
        (MANY, "UNKNOWN_PROP", MAX_ERRORS),
    ],
)
def test_an_invalid_document_has_errors_and_is_not_stored(service: Service, rui: object, code: str, count: int) -> None:
    client = Client(service.url)
    validation = client.validate(rui)
    assert [item.code for item in validation.errors] == [code] * count
    assert (validation.valid, validation.truncated, validation.normalized_rui) == (False, count > 1, None)
    assert all(item.message and item.hint for item in validation.errors)
    with pytest.raises(InvalidRuiError) as refused:
        client.store(rui)
    assert (refused.value.errors, refused.value.truncated) == (validation.errors, validation.truncated)
    assert validation.errors[0].message in str(refused.value)


def test_a_dictionary_that_is_no_json_is_a_fault_of_the_caller(service: Service) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        Client(service.url).store({"version": float("nan")})
