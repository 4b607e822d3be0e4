"""Errors in the text of a document."""

from enum import Enum
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.vocabulary.rules import MAX_DEPTH

_ALONE = "{title}: a document is one JSON value."


class FaultKind(Enum):
    """A kind of error in a text: the message, the hint and the title of the repair, with names for inserted values.

    A hint commands only what the edits do. The title is ``Write {new}`` if there is no other one.
    """

    ENCODING = ("{problem}", "Save the file with the encoding UTF-8{rest}.")
    NOT_JSON = ("This text is not JSON", "A document is one JSON object, from {{ to }}. Convert the text to JSON.")
    ESCAPED = (
        "This text is escaped, as in a JSON string",
        "Send the text of the string itself: without a backslash before each quote and line end.",
        "Write the text of the string",
    )
    NO_DOCUMENT = (
        "No RUI was found in this text",
        "A RUI is one JSON object with the properties {names}, without other text around it.",
    )
    UNEXPLAINED = ("This is not JSON here", "Check this place and the text before it.")
    EMPTY = ("Expected a JSON value, the text is empty", "Write a document, beginning with {{.")
    FENCE = ("Code fence before the document, which begins in line {line}", _ALONE, "{title}")
    PROSE = ("Text before the document, which begins in line {line}", _ALONE, "{title}")
    LINE_PREFIX = ("Each line begins with {name}", _ALONE, "{title}")
    DOUBLED_BRACES = ("Braces are doubled, as in a template", _ALONE, "{title}")
    TEXT_BEFORE = (
        "Unexpected text before the document",
        "Send each document by itself: a RUI is one JSON object with the properties {names}.",
    )
    SECOND_DOCUMENT = (
        "{problem}",
        "A request or a file contains one document. Send each document by itself{rest}.",
        "Remove everything after the document",
    )
    TEXT_AFTER_DOCUMENT = (
        "Unexpected {token} after the end of the document",
        "Remove the text after the document: a document is one value.",
        "Remove the text after the document",
    )
    CONTENT_AFTER_DOCUMENT = (
        "Unexpected {token} after the end of the document",
        "A document is one value: a bracket before this ends it too early, or the text after it does not belong to it.",
    )
    TOO_DEEP = (f"Nested deeper than {MAX_DEPTH} levels", "What is inside belongs further up.")

    CONFLICT = (
        "Merge conflict between {ours} and {theirs}",
        "Keep the lines of one side, or of both, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
        "Use ours",
    )
    CONFLICT_MARKER = (
        "This conflict marker has no counterpart",
        "Keep one version of the lines around it, and remove the line {marker}.",
        "Remove the line {marker}",
    )
    COMMENT = (
        "Comments are not allowed",
        "Remove the comment, from {extent}; a description belongs in a property.",
        "Remove the comment",
    )
    OMISSION_IN_COMMENT = (
        "Comments are not allowed, and this one says that something is left out",
        "Write out what is omitted; if nothing is, remove the comment, from {extent}.",
        "Remove the comment",
    )
    OMISSION_IN_PROSE = (
        "The text around the document says that something is left out",
        "Write out what is omitted; if nothing is, {command}.",
        "{title}",
    )
    OMISSION = (
        "Something is left out here: {old}",
        "Write out what is omitted; if nothing is, remove this mark.",
        "Remove {old}",
    )
    OMITTED_VALUE = ("Something is left out here: {old}", "Write out the value that is omitted.", "Write null for now")
    SPACE = ("Unexpected character {first}", "Write a plain space instead of it.", "Write a plain space")
    ESCAPED_SPACE = (
        "Unexpected {old} outside of a string",
        "Write a plain space or line break instead of it.",
        "Write a plain space or line break",
    )
    ZERO_WIDTH = ("Unexpected character {first}", "Remove every {characters}.", "Remove the character")
    CHARACTER = ("Unexpected character {character}", "Remove it.", "Remove it")
    FOREIGN_MARK = ("Expected {name} instead of {old}", "Write {new} instead of {old}.")

    NAME_WITHOUT_QUOTES = ("Property names need double quotes: {old}", "{command}.")
    FOREIGN_QUOTES = ("Strings are written in double quotes", "{command}.")
    SPLIT_NAME = ("A quote is within a name: {old}", "{command}.")
    BACKSLASH_QUOTES = ("Unexpected backslash before the quote of a string", "{command}.")
    TRIPLE_QUOTES = ('A string has one " at each end, not {mark}', "{command}.")
    ESCAPED_QUOTES = ("Quotes are escaped as in HTML: {mark}", "{command}.")
    CONCATENATION = ("Strings cannot be put together with {operator}", "{command}.")
    NO_OPENING_QUOTE = ('A string must begin with "', 'Put " before {content}.')
    NO_CLOSING_QUOTE = ('This string is never closed: expected "', 'Put " after {content}.')
    EMPTY_STRING = ('This string is never closed: expected "', 'Write "" instead of ".')
    CUT_STRING = ('The text ends within a string: expected "', 'Add " to close the string.')
    INNER_QUOTE = ("This quote ends the string too early", 'Write \\" instead of this quote{and_next}.')
    DOUBLED_QUOTE = ("Two quotes end this string", 'Remove the ".')
    LINE_BREAK = (
        "A string must end on its line",
        "Write \\n instead of the line break at the end of this line{and_next}.",
    )
    NEEDLESS_ESCAPE = ("Unknown escape {escape}", "Write {mark} without a backslash.")
    ESCAPE = ("Unknown escape {escape}", "Write \\\\ instead of this backslash.")
    UNICODE_ESCAPE = (
        "Unknown escape \\u",
        "Write \\\\ instead of this backslash, or four hexadecimal digits after \\u.",
    )
    CONTROL_CHARACTER = ("Control character {character} in a string", "Write {escape} instead of it.")
    SURROGATE = ("Half of a surrogate pair in a string", "Write \\ufffd instead of {half}, or both halves of the pair.")

    FOREIGN_LITERAL = (
        "Unknown value {old}, did you mean {new}?",
        "Write {new} instead of {old}, or put the word in double quotes.",
    )
    TEMPLATE = (
        "Braces are doubled, as in a template: {old}",
        "Write the value in place of {old}, a text in double quotes.",
        "Write {new}",
    )
    UNKNOWN_VALUE = ("Unknown value {old}", "{command}, if it is meant as text{other}.")
    NUMBER = ("Invalid number {old}", "{command}.")
    UNCLEAR_NUMBER = ("Invalid number {old}", "{command}, or a number such as 12.5.")
    HUGE_NUMBER = ("This number is too large for a double", "Write a number up to 1.7e308, or put it in double quotes.")

    MISSING_COMMA = ("Expected comma", "Put a comma after the value before it.", "Add a comma")
    MISSING_COLON = ("Expected colon", "Put a colon after the name of the property.", "Add a colon")
    MISSING_VALUE = (
        "Expected {expected} before {token}",
        "Put {missing} here, for example {example}",
        "Add {new} for now",
    )
    MISSING_OPENER = ("Expected {new} before this", "Put {new} here, where the {level} begins.", "Put {new} here")
    MISSING_CLOSER = ("This {level} is never closed: expected {closer}", "{title}{where}.", "{title}")
    CUT_TEXT = ("{problem}", "{title}{where}.", "{title}")
    TRAILING_COMMA = ("Unexpected {comma} before {token}", "Remove the {comma}.", "Remove the {comma}")
    EXTRA_COMMA = (
        "Unexpected {comma}: expected a {expected}",
        "Remove the {comma}, or write a {expected}.",
        "Remove the {comma}",
    )
    TWO_STRINGS = ("Two strings follow each other", "{command}: a value is one string.")
    SPLIT_TEXT = ("Unexpected {token} after a value", "{command}, if it is one text.")
    NAME_WITHOUT_VALUE = (
        "Expected a property instead of {token}",
        "Write the name in double quotes, a colon and the value of the property instead of it.",
        "Write {new} for now",
    )
    STRAY_WORDS = (
        "Unexpected {token}",
        "It belongs neither to the value before it nor to a property: put it into the text or property that it is for.",
    )
    EXTRA_TOKEN = ("Unexpected {token}", "Remove it.", "Remove {token}")
    EXTRA_QUOTE = ("Unexpected quote", 'Remove the ".', 'Remove the "')
    EXTRA_CLOSER = (
        "Unexpected {token}",
        "Remove the {token}; no bracket is open that it closes.",
        "Remove the {token}",
    )
    EXTRA_MARK = ("Unexpected {name}", "Remove the {old}{where}.", "Remove the {old}")
    WRONG_MARK = ("Expected {expected} instead of {token}", "Write {new} instead of {old}{where}.")
    WRONG_MARK_AFTER_COMMA = (
        "Expected {expected} instead of {token}",
        "Remove the {comma} before this, and write {new} instead of {old}{where}.",
    )

    def at(
        self, span: Span, *edits: Edit, is_safe: bool = False, is_doubtful: bool = False, group: str = "", **values: str
    ) -> "SyntaxFault":
        """Return a fault of this kind with its words; the parameters are the attributes of `SyntaxFault`."""
        templates = (*self.value, "Write {new}")[:3] if edits else (*self.value[:2], "")
        message, hint, title = (template.format(**values) for template in templates)
        return SyntaxFault(span, self, message, hint, title, edits, is_safe, is_doubtful, group)


OMISSIONS = frozenset({FaultKind.OMISSION, FaultKind.OMISSION_IN_COMMENT})  # Elements or properties are left out.


class SyntaxFault(NamedTuple):
    """A place where a text is not JSON, and its repair.

    The edits of all faults together make a text JSON with the value that the parser recovered, except that properties
    without a value are null. That is so if all of the text was read, it has a value, and each fault has edits.
    """

    span: Span  # the offending character or word, or the end of the text if input ran out
    kind: FaultKind  # the kind of error
    message: str  # the error, or the token that was expected
    hint: str  # how to fix it
    title: str = ""  # what the edits do, for a menu; `""` if there are none
    edits: tuple[Edit, ...] = ()  # in text order, with those of unreported consequences; () if only the author knows
    is_safe: bool = False  # whether the edits may be applied without review (see `rui_common.fixes.quick_fixes`)
    is_doubtful: bool = False  # whether the lexer guessed the token, so that an error after it probably follows
    group: str = ""  # what faults of this kind with the same repair have in common; the hint if it is `""`


class DuplicateKey(NamedTuple):
    """A property that a later one of the same name in the same object overrides."""

    path: Path  # the path of the property
    span: Span  # the overridden key, quotes included
    last: Span  # the key that takes effect
