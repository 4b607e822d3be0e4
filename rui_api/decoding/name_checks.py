"""Names within one object, asked about where they stand: a part of the function that `check_codegen` writes."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from rui_common.codegen import indent_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.vocabulary.schema import Symbol

FEW = 6
"""So many names are compared with each other in less time than it takes to put them into a set."""


def asked_in_place(symbol: Symbol, defined: str, used: str, body: Sequence[str]) -> list[str] | None:
    """The body of an object that asks about its names where they stand, without gathering them.

    Args:
        symbol: what they are names of.
        defined: the variable that `body` adds the names of definitions to.
        used: the same for uses.
        body: the statements that gather.

    Returns:
        None unless one list defines them all, at most one place behind it uses one, and nobody has to be used.
    """
    places = [index for index, line in enumerate(body) if re.search(rf"\b({defined}|{used})\b", line)]
    defining = re.fullmatch(rf"{defined} \+= \[(.*) for (\w+) in (\S+)\]", body[places[0]]) if places else None
    using = re.fullmatch(rf"( *){used}\.append\((.*)\)", body[places[-1]]) if places else None
    if defining is None or len(places) != 1 + (using is not None) or symbol.unused is not None:
        return None
    asked = using is not None and symbol.dangling is not None
    lines = [*body]
    if using is not None:
        lines[places[1]] = using[1] + (f"if {using[2]} not in {defined}: return False" if asked else "pass")
    name, element, place = defining.groups()
    names = f"{{{name} for {element} in {place}}}"
    if symbol.duplicate is None:
        asking = [f"{defined} = {names}"] if asked else []
    else:
        asking = _all_different(defined, (name, element, place), is_used=asked)
    lines[places[0] : places[0] + 1] = asking
    return lines


def _all_different(names: str, defining: tuple[str, str, str], *, is_used: bool) -> list[str]:
    """Statements that return False where a name stands twice; behind them `names` has all names if these are used."""
    name, element, place = defining
    several, count, whole = f"{names}_of", f"{names}_count", re.compile(rf"\b{element}\b")
    lines = [f"{several} = {place}", f"{count} = len({several})"]
    word = "if"
    for number in range(1, FEW + 1):
        elements = [f"{element}_{index}" for index in range(number)]
        each = [f"{names}_{index}" for index in range(number)]
        branch = [f"{', '.join(elements)}, = {several}"]
        branch += [f"{own} = {whole.sub(one, name)}" for own, one in zip(each, elements, strict=True)]
        same = " or ".join(f"{one} == {other}" for one, other in combinations(each, 2))
        branch += [f"if {same}: return False"] if same else []
        branch += [f"{names} = ({', '.join(each)},)"] if is_used else []
        lines += indent_block(f"{word} {count} == {number}:", branch)
        word = "elif"
    many = [f"{names} = {{{name} for {element} in {several}}}", f"if len({names}) != {count}: return False"]
    return [*lines, *indent_block("else:", many)]
