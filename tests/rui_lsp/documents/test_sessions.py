"""Random edit sessions: text and diagnostics equal those of a fresh reading."""

import random

import pytest

from tests.inputs.sample import sample_text
from tests.rui_lsp.sessions import notified


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("indent", [2, None])
def test_random_sessions(encoding, indent):
    chance = random.Random(f"{encoding} {indent}")
    assert notified(chance, encoding, sample_text(2000, indent=indent), 80) > 20
