"""Redaction of URLs in messages."""

import pytest

from rui_common.redact import redact_all_userinfo, redact_userinfo


@pytest.mark.parametrize(("url", "shown"), [
    ("https://rui.example.org/a", "https://rui.example.org/a"), ("", ""), ("nonsense", "nonsense"),
    ("https://ann:secret@a.org:1/x?y#z", "https://***@a.org:1/x?y#z"), ("https://secret@a.org", "https://***@a.org"),
    ("https://ann:se/cr?e#t@a.org", "https://***@a.org"), ("https://ann:s@ecret@a.org", "https://***@a.org"),
    ("ann:secret@a.org", "***@a.org"), ("https:/ann:secret@a.org", "***@a.org"), ("@", "***@"),
])  # fmt: skip
def test_a_url_is_shown_without_its_user(url: str, shown: str) -> None:
    assert redact_userinfo(url) == shown


@pytest.mark.parametrize(("text", "shown"), [
    ("cannot read /home/ann@work/a.json", "cannot read /home/ann@work/a.json"),
    ("unknown: --sever=http://ann:secret@a.org b@c", "unknown: --sever=http://***@a.org b@c"),
    ("'http://a.org' and 'http://ann:secret@a.org'", "'http://a.org' and 'http://***@a.org'"),
])  # fmt: skip
def test_so_are_urls_in_a_text(text: str, shown: str) -> None:
    assert redact_all_userinfo(text) == shown
