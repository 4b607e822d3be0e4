"""DATA: the steps that lead from each version of the schema of a store to the next, and which programs they admit.

A released step never changes; the next one is appended. Programs of the previous version run on while a step is taken
and after it, until they are replaced. So a step only adds what they need not know. A step that they could not live with
comes a release later, and is closing: it is only taken by ``rui store migrate --finish``, when they are gone.

Two tables describe a store. ``schema_version`` contains the *required* version: the lowest one that a program must know
to use it. The program compares it with its own latest version. ``schema_steps`` contains the steps that were taken,
beyond the first. A program does not mind steps that it does not know, if the required version admits it.
"""

from __future__ import annotations

from typing import NamedTuple

from rui_api.store.base import StoreRefused


class Step(NamedTuple):
    """A step from one version to the next. Its version is its position, from 1.

    Attributes:
        statements: SQL. `CONCURRENTLY` is left out in a new store, which nobody uses yet.
        title: what it does, for the operator.
        is_online: whether it may take long, without being needed for serving. Only ``rui store migrate`` takes it.
        is_closing: whether it shuts out programs of earlier versions. Only ``rui store migrate --finish`` takes it.
    """

    statements: tuple[str, ...]
    title: str
    is_online: bool = False
    is_closing: bool = False


SQLITE_STEPS: tuple[Step, ...] = (
    Step(
        (
            "CREATE TABLE specs (spec_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
            "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BLOB NOT NULL)",
        ),
        "the table of specs",
    ),
    Step(
        (
            "CREATE INDEX IF NOT EXISTS specs_by_time ON specs (created_at, spec_id)",
            "CREATE INDEX IF NOT EXISTS specs_deleted ON specs (spec_id) WHERE content_hash = ''",
        ),
        "indexes of the specs by time and of the deleted ones",
        is_online=True,
    ),
    Step((), "new specs are compressed", is_closing=True),
)

# The prefix rui_ keeps the tables apart from others in the same database. BYTEA, because TEXT refuses NUL and JSONB
# reorders keys.
POSTGRES_STEPS: tuple[Step, ...] = (
    Step(
        (
            "CREATE TABLE rui_specs (spec_id UUID PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
            "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BYTEA NOT NULL)",
        ),
        SQLITE_STEPS[0].title,
    ),
    Step(
        (
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS rui_specs_by_time ON rui_specs (created_at, spec_id)",
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS rui_specs_deleted ON rui_specs (spec_id) WHERE content_hash = ''",
        ),
        SQLITE_STEPS[1].title,
        is_online=True,
    ),
    Step((), SQLITE_STEPS[2].title, is_closing=True),
)

INDEXED = 2
"""The step with the index by time."""
COMPRESSED = 3
"""The step after which every program reads compressed specs."""


class Schema(NamedTuple):
    """The schema of a store.

    Attributes:
        required: the lowest version that a program must know; 0 if there are no tables.
        taken: the versions of the steps that were taken.
    """

    required: int
    taken: frozenset[int]

    @property
    def has_index(self) -> bool:
        """Whether specs can be read in the order of their times."""
        return INDEXED in self.taken

    @property
    def is_compressed(self) -> bool:
        """Whether new specs are compressed."""
        return COMPRESSED in self.taken

    def check(self, steps: tuple[Step, ...]) -> None:
        """Raise `StoreRefused` if the program, which knows `steps`, is too old for the store."""
        if self.required > len(steps):
            raise StoreRefused(
                f"the store requires schema version {self.required}, this program knows versions up to {len(steps)}: "
                "use a later program"
            )

    def pending(self, steps: tuple[Step, ...]) -> list[int]:
        """Return the versions of the steps that were not taken, in order."""
        return [version for version in range(1, len(steps) + 1) if version not in self.taken]

    def needed(self, steps: tuple[Step, ...]) -> list[int]:
        """Return the versions of those without which the program cannot use the store."""
        return [
            version
            for version in self.pending(steps)
            if not (steps[version - 1].is_online or steps[version - 1].is_closing)
        ]


def without_concurrency(statement: str) -> str:
    """Return a statement that runs in a transaction."""
    return statement.replace(" CONCURRENTLY", "")
