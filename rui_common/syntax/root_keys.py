"""What tells a RUI from other objects: the keys of its root.

A text is read before anything is known about it. This is all that reading needs of the vocabulary.
"""

import re

from rui_common.vocabulary.rui_0_1 import VOCABULARY

is_rui = VOCABULARY.is_rui
"""Return whether a value is an object that its own keys tell from the objects of other formats."""

IDENTIFYING = VOCABULARY.identifying
"""The keys of the root that tell a RUI from other objects if they have an object or array."""

ROOT_KEYS = "|".join(map(re.escape, VOCABULARY.root.props))
"""A regular expression for a key of the root."""
