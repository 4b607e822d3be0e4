"""The client with the real service."""

import pytest

from rui_common.client import Client, InvalidRuiError, ServiceError
from rui_common.describe import full_example, minimal_example
from rui_common.hashing import content_hash
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_ERRORS
from tests.rui_api.live import UUID


@pytest.fixture
def client(service):
    return Client(service.url)


def test_what_is_valid_is_valid(client):
    validation = client.validate(minimal_example())
    assert validation == (True, (), False, minimal_example())


@pytest.mark.parametrize(
    ("rui", "codes"),
    [
        ({**minimal_example(), "version": "9"}, ["VERSION_MISMATCH"]),
        ("{", ["INVALID_JSON"]),
        (b"\xff", ["INVALID_JSON"]),
        ("", ["INVALID_JSON"]),
        ('"\ud800"', ["INVALID_JSON"]),
        (" " * (MAX_BODY_BYTES + 1), ["INVALID_JSON"]),
    ],
)
def test_what_is_not_says_why_and_is_not_stored(client, rui, codes):
    validation = client.validate(rui)
    assert [item.code for item in validation.errors] == codes
    assert (validation.valid, validation.normalized_rui) == (False, None)
    assert all(item.message and item.hint for item in validation.errors)
    with pytest.raises(InvalidRuiError) as refused:
        client.store(rui)
    assert refused.value.errors == validation.errors
    assert validation.errors[0].message in str(refused.value)


def test_more_faults_than_are_told_are_said_to_be_more(client):
    rui = {**minimal_example(), **{f"x{number}": 1 for number in range(MAX_ERRORS + 1)}}
    validation = client.validate(rui)
    assert (len(validation.errors), validation.truncated) == (MAX_ERRORS, True)
    with pytest.raises(InvalidRuiError, match=f"and {MAX_ERRORS - 1} more") as refused:
        client.store(rui)
    assert refused.value.truncated


def test_what_is_stored_can_be_fetched(client, service):
    saved = client.store(full_example())
    assert client.fetch(saved.spec_id) == saved
    assert saved.normalized_rui == full_example()
    assert saved.content_hash == content_hash(full_example())
    assert saved.view_url == f"{service.url}/specs/{saved.spec_id}"
    assert client.store(full_example()).spec_id != saved.spec_id


@pytest.mark.parametrize("given", ["../..", "", "a/b?c#d", "{" + UUID + "}", UUID])
def test_an_id_that_is_none_is_refused(client, given):
    with pytest.raises(ServiceError) as refused:
        client.fetch(given)
    assert refused.value.status in {400, 404, 405}
    assert refused.value.code in {"INVALID_SPEC_ID", "NOT_FOUND", "METHOD_NOT_ALLOWED"}


def test_a_dictionary_that_is_no_json_is_a_fault_of_the_caller(client):
    with pytest.raises(ValueError, match="JSON compliant"):
        client.store({"version": float("nan")})
