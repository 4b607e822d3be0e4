"""RUI 0.1 in pydantic, with rules and references, in the style of its documentation."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", min_length=1, max_length=64)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Open(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class Binding(Strict):
    type: Literal["read"]
    method: Literal["GET"]
    path: Annotated[str, Field(pattern="^/")]
    valuePath: Annotated[str, Field(pattern=r"^[\w-]+(\.[\w-]+)*$")] | None = None


class MetricBinding(Binding):
    valuePath: Annotated[str, Field(pattern=r"^[\w-]+(\.[\w-]+)*$")]


class Metric(Strict):
    id: Id
    type: Literal["Metric"]
    label: str
    binding: MetricBinding
    format: Literal["number", "text"] = "number"


class Column(Open):
    key: str


class Filter(Open):
    field: str


class Table(Strict):
    id: Id
    type: Literal["Table"]
    title: str = ""
    binding: Binding
    columns: Annotated[list[Column], Field(min_length=1)]
    filter: Filter | None = None

    @model_validator(mode="after")
    def names(self) -> Table:
        keys = {column.key for column in self.columns}
        if len(keys) != len(self.columns):
            raise ValueError("INVALID_COLUMNS")
        if self.filter is not None and self.filter.field not in keys:
            raise ValueError("INVALID_FILTER_FIELD")
        return self


class Text(Strict):
    id: Id
    type: Literal["Text"]
    content: str


class Section(Strict):
    id: Id
    type: Literal["Section"]
    title: str = ""
    direction: Literal["stack", "row"]
    children: Annotated[list[Annotated[Metric | Table | Text, Field(discriminator="type")]], Field(min_length=1)]


class Page(Strict):
    id: Id
    type: Literal["Page"]
    title: str
    description: str = ""
    children: Annotated[list[Section], Field(min_length=1)]


class Item(Open):
    pageId: str


class Navigation(Strict):
    items: Annotated[list[Item], Field(min_length=1)]


class Meta(Open):
    pass


class Rui(Strict):
    version: Literal["0.1"]
    meta: Meta
    navigation: Navigation
    pages: Annotated[list[Page], Field(min_length=1)]

    @model_validator(mode="after")
    def references(self) -> Rui:
        ids = [page.id for page in self.pages]
        pages, linked = set(ids), {item.pageId for item in self.navigation.items}
        for page in self.pages:
            for section in page.children:
                ids.append(section.id)
                ids += [block.id for block in section.children]
        if any(count > 1 for count in Counter(ids).values()):
            raise ValueError("DUPLICATE_ID")
        if linked - pages:
            raise ValueError("INVALID_NAV_PAGE_ID")
        if pages - linked:
            raise ValueError("ORPHAN_PAGE")
        return self


def validated(body: bytes) -> bytes:
    """Return the normal form of a valid body."""
    return Rui.model_validate_json(body).model_dump_json(exclude_unset=True).encode()
