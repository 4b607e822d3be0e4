"""An author who corrects a document by nothing but the words of the answers, without judgement.

It knows no vocabulary. It does what a hint says, adds what a signature requires, and leaves a property where no hint
says what to do with it.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.inputs.fixing_text import fix_text, taken_out
from tests.support.strategies import at

Json = Any
Steps = list[str | int]
Answer = Callable[[bytes], list[dict[str, str]]]
"""Returns the items of ``errors[]`` of the answer to a body; for no JSON object, one with the path ``""``."""

Validate = Callable[[bytes], dict[str, Any]]
"""Returns the answer to a body, with warnings and fixes."""

MAX_ROUNDS = 8
MAX_FIXED_ROUNDS = 12

_STRING = r'"(?:[^"\\]|\\.)*"'
_MEANT = re.compile(rf"Got ({_STRING}|\d+); did you mean ({_STRING})\?")
_CALLED = re.compile(rf"({_STRING}) is called ({_STRING}) (here|in it|there)\.")
_BELONGS = re.compile(rf"content belongs in ({_STRING})")
_PART = re.compile(rf"Put (it|{_STRING}) into the text of ({_STRING})")
_KEPT_IN = re.compile(rf"It may stay in ({_STRING})")
_ENVELOPE = re.compile(r"The document is in (.+?): send that\.")
_ALLOWED = re.compile(rf"(?:Allowed: |one of |Set `\w+` to )({_STRING})")
_EXCHANGED = re.compile(rf"content belongs in ({_STRING}), that of ({_STRING}) in ({_STRING})")
_BELONGS_AS = re.compile(rf"content belongs in ({_STRING}), as ({_STRING})")
_ENTRY = re.compile(rf"Nothing in ([\w.]+) links to ({_STRING})")
_SIGNATURE = re.compile(r"(?:^| )([A-Z]\w+): (\{.*?\})\.(?= |$)")
_WRAPPED = re.compile(r"It is called (\w+) here: put it into a (\w+)\.")
_PUT_INTO = re.compile(r"Put it into a (\w+)\.")
_NOT_SHOWN = re.compile(rf"({_STRING}) is not shown; did you mean ({_STRING})\?")
_IN_FULL = re.compile(r"Write ([\[{].*?[\]}])\.(?= |$)")
_SPREAD = re.compile(rf"Its content belongs here: write the properties in ({_STRING}) without it\.")
_SET_TO = re.compile(rf"Set it to ({_STRING}), ")
_THERE = re.compile(rf"Add ({_STRING}) there, with ({_STRING}): ({_STRING}), and its content as ({_STRING})")
_MAY_BE_IN = re.compile(rf"It may be in ({_STRING})")
_BELONGS_IN = re.compile(r"It is called (\w+) here, and belongs in \w+\.(\w+)\.")
_LEAVE_OUT = ("Remove it.", "leave it out", "Leave it out")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]|\[(\"(?:[^\"\\]|\\.)*\")\]")


class Reader:
    """Follows the answers to one draft.

    Attributes:
        body: the draft, as far as it is corrected.
    """

    def __init__(self, draft: bytes) -> None:
        self.body = draft
        self.signatures: dict[str, str] = {}
        self.number = 0

    def follow(self, answer: Answer) -> int | None:
        """Correct the draft until it is valid; return the number of requests, None if the hints lead no further."""
        for request in range(1, MAX_ROUNDS + 1):
            errors = answer(self.body)
            if not errors:
                return request
            before = self.body
            self.correct(errors)
            if self.body == before:
                return None
        return None

    def follow_with_fixes(self, validate: Validate) -> int | None:
        """Correct the draft until it is valid and has no warning that a hint removes; return the number of requests.

        The reader sends the fixed document on, after it has done what the hints about the rest of it say.
        """
        for request in range(1, MAX_FIXED_ROUNDS + 1):
            answer = validate(self.body)
            errors = answer.get("errors", [])
            items = errors or answer["warnings"]
            before = self.body
            self._learn(items)
            if "fixed" in answer:
                self.body = json.dumps(answer["fixed"]["rui"]).encode()
                items = answer["fixed"]["errors"]
            if items:
                self.correct(items)
            if self.body == before:
                return None if errors else request
        return None

    def _learn(self, errors: list[dict[str, str]]) -> None:
        for error in errors:
            self.signatures |= dict(_SIGNATURE.findall(error["hint"]))

    def correct(self, errors: list[dict[str, str]]) -> None:
        """Do what the hints of one answer say."""
        self._learn(errors)
        if errors[0]["path"] == "" and errors[0]["code"] == "INVALID_JSON":
            self.body = fix_text(self.body.decode(), errors[0]["hint"]).encode()
            return
        document = json.loads(self.body)
        envelope = _ENVELOPE.search(errors[0]["hint"])
        if envelope is not None:
            self.body = taken_out(self.body.decode(), envelope[1]).encode()
            return
        for order in (self.wrap, rename, replace, move, self.add, remove):
            for error in errors:
                with suppress(KeyError, IndexError, TypeError, AttributeError):
                    order(document, steps(error["path"]), error)
        self.body = json.dumps(document).encode()

    def wrap(self, document: Json, path: Steps, error: dict[str, str]) -> None:
        """Put a node into a new one, under the type that it has there."""
        out = _BELONGS_IN.search(error["hint"])
        if out is not None:
            node = at(document, tuple(path[:-1]))
            outer = at(document, tuple(path[:-4]))
            outer.insert(path[-4] + 1, node | {"type": out[1]})
            at(document, tuple(path[:-2])).remove(node)
            return
        as_type, into = _WRAPPED.search(error["hint"]), _PUT_INTO.search(error["hint"])
        if as_type is None and into is None:
            return
        node_path = path if isinstance(path[-1], int) else path[:-1]
        node = at(document, tuple(node_path))
        name = as_type[2] if as_type else into[1]  # type: ignore[index]
        if as_type is not None:
            node["type"] = as_type[1]
        outer = self.value(self.signatures[name], 0)[0]
        outer["children"] = [node]
        at(document, tuple(node_path[:-1]))[node_path[-1]] = outer

    def add(self, document: Json, path: Steps, error: dict[str, str]) -> None:
        """Add an absent property, as its signature has it; the value of a fixed one from the hint."""
        owner = at(document, tuple(path[:-1]))
        if "Missing" not in error["message"] and "requires a" not in error["message"]:
            return
        if path[-1] in owner or _MAY_BE_IN.search(error["hint"]):
            return
        allowed = _SET_TO.search(error["hint"]) or _ALLOWED.search(error["hint"])
        if allowed is not None:
            owner[path[-1]] = json.loads(allowed[1])
            return
        if path[-1] == "type" and isinstance(path[-2], int):  # the signatures have several
            return
        container = next((step for step in reversed(path[:-1]) if isinstance(step, str)), "")
        for before in (
            rf'"{re.escape(container)}"\??: .*?',
            "",
        ):  # in the notation of the property around it, if it is there
            for signature in self.signatures.values():
                found = re.search(rf'{before}"{re.escape(str(path[-1]))}"\??: ', signature)
                if found is not None and (before or fits(signature, owner)):
                    owner[path[-1]] = self.value(signature, found.end())[0]
                    return

    def value(self, text: str, start: int) -> tuple[Json, int]:
        """Return the shortest value that a notation allows, and its end."""
        if text[start] == "{":
            result: Json = {}
            start += 1
            while text[start] != "}":
                member = re.compile(r"(\"\w+\")(\??): ").match(text, start)
                if member is None:  # an ellipsis, a comma
                    start += 1
                    continue
                inner, start = self.value(text, member.end())
                start = re.compile(r"(?: \| (?:\"\w+\"|\w+))*(?: \([^)]*\))?").match(text, start).end()  # type: ignore[union-attr]
                if not member[2]:
                    result[json.loads(member[1])] = inner
            return result, start + 1
        if text[start] == "[":
            inner, end = self.value(text, start + 1)
            return [inner], text.index("]", end) + 1
        match = re.compile(rf"{_STRING}|ID OF A PAGE|KEY OF A COLUMN|SPEC ID|[A-Za-z]+").match(text, start)
        assert match is not None
        if match[0].startswith('"'):
            return json.loads(match[0]), match.end()
        if match[0] in self.signatures:
            return self.value(self.signatures[match[0]], 0)[0], match.end()
        self.number += match[0] == "ID"
        return f"id-{self.number}" if match[0].startswith("ID") else match[0], match.end()


def fits(signature: str, owner: Json) -> bool:
    """Return whether an object may be one of a signature: of its type, or without one."""
    named = re.search(r'"type": "(\w+)"', signature)
    return named is None or owner.get("type", named[1]) == named[1]


def steps(path: str) -> Steps:
    """Return the steps of a path in an answer."""
    return [
        int(index) if index else json.loads(quoted) if quoted else name for name, index, quoted in _STEP.findall(path)
    ]


def rename(document: Json, path: Steps, error: dict[str, str]) -> None:
    """Rename the properties that are called otherwise."""
    owner = at(document, tuple(path[:-1]))
    meant = _MEANT.search(error["hint"]) or _NOT_SHOWN.search(error["message"])
    if meant is not None:
        old, new = (json.loads(text) for text in meant.groups())
        if old in owner and new not in owner and path[-1] in (old, new):
            owner[new] = owner.pop(old)
    for text in _CALLED.finditer(error["hint"]):
        old, new = json.loads(text[1]), json.loads(text[2])
        inner = owner
        if text[3] == "in it":
            inner = owner[json.loads(meant[2])] if meant else owner[path[-1]]
        if text[3] != "there" and old in inner and new not in inner:
            inner[new] = inner.pop(old)


def replace(document: Json, path: Steps, error: dict[str, str]) -> None:
    """Replace a wrong value by the one that is meant."""
    owner = at(document, tuple(path[:-1]))
    if _WRAPPED.search(error["hint"]) or "Missing" in error["message"]:
        return
    meant = _MEANT.search(error["hint"])
    allowed = _ALLOWED.search(error["hint"])
    entry = _ENTRY.search(error["hint"])
    in_full = _IN_FULL.search(error["hint"])
    set_to = _SET_TO.search(error["hint"])
    if set_to is not None:
        owner[path[-1]] = json.loads(set_to[1])
    elif in_full is not None:
        owner[path[-1]] = json.loads(in_full[1])
    elif meant is not None and owner[path[-1]] == json.loads(meant[1]):
        owner[path[-1]] = json.loads(meant[2])
    elif "a number: put it in quotes" in error["hint"]:
        owner[path[-1]] = json.dumps(owner[path[-1]])
    elif entry is not None:
        at(document, tuple(steps(entry[1]))).append({"pageId": json.loads(entry[2])})
    elif meant is None and allowed is not None and isinstance(owner[path[-1]], str):
        owner[path[-1]] = json.loads(allowed[1])


def move(document: Json, path: Steps, error: dict[str, str]) -> None:
    """Move the content of a property to where the hint says."""
    owner = at(document, tuple(path[:-1]))
    key = path[-1]
    belongs = _BELONGS.search(error["hint"])
    belongs_as = _BELONGS_AS.search(error["hint"])
    part = _PART.search(error["hint"])
    stays = _KEPT_IN.search(error["hint"])
    exchanged = _EXCHANGED.search(error["hint"])
    there = _THERE.search(error["hint"])
    if there is not None:
        name, field, value, content = map(json.loads, there.groups())
        at(document, tuple(path[:-3]))[name] = {field: value, content: owner.pop(key)}
    elif _SPREAD.search(error["hint"]):
        owner |= owner.pop(key)
    elif exchanged is not None:
        home, other, here = map(json.loads, exchanged.groups())
        owner[home], owner[here] = owner[here], owner.pop(other)
    elif belongs_as is not None:
        name, inner = map(json.loads, belongs_as.groups())
        owner.setdefault(name, {})[inner] = owner.pop(key)
    elif belongs is not None:
        target = owner.setdefault(json.loads(belongs[1]), {})
        called = {json.loads(old): json.loads(new) for old, new, _ in _CALLED.findall(error["hint"])}
        if isinstance(target, dict):
            value = owner.pop(key)
            target |= (
                {called.get(old, old): new for old, new in value.items()}
                if isinstance(value, dict)
                else {called.get(key, key): value}
            )
    elif part is not None and (part[1] != "it" or isinstance(owner[key], str)):
        text = owner.pop(key)
        owner[json.loads(part[2])] += f" ({text if part[1] == 'it' else json.loads(part[1])})"
    elif stays is not None and "leave it out" not in error["hint"]:
        document.setdefault(json.loads(stays[1]), {})[key] = owner.pop(key)


def remove(document: Json, path: Steps, error: dict[str, str]) -> None:
    """Remove what a hint says to leave out."""
    if any(words in error["hint"] for words in _LEAVE_OUT):
        owner = at(document, tuple(path[:-1]))
        del owner[path[-1]]
