"""The cache of specs: what it serves without the store, its age limit and its size."""

import asyncio

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.routes.specs import new_spec
from rui_api.store.base import Measurement, StorageUnavailable, StoredSpec
from rui_api.store.cached_store import ENTRY_BYTES, CachedStore
from rui_common.describe import minimal_example
from tests.rui_api.live import running

SIZE = 5_000


def spec_of(size: int = SIZE - ENTRY_BYTES) -> StoredSpec:
    return new_spec(b"x" * size, "sha256:0")


class Counting:
    """A store that counts its reads."""

    def __init__(self, *specs: StoredSpec) -> None:
        self.specs = {spec.spec_id: spec for spec in specs}
        self.reads: list[str] = []
        self.is_down = False

    async def store(self, spec: StoredSpec) -> None:
        if self.is_down:
            raise StorageUnavailable("down")
        self.specs[spec.spec_id] = spec

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        self.reads.append(spec_id)
        if self.is_down:
            raise StorageUnavailable("down")
        await asyncio.sleep(0)
        return self.specs.get(spec_id)

    async def measure(self) -> Measurement:
        return Measurement(len(self.specs))

    async def close(self) -> None:
        pass


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_spec_is_read_once_in_its_time() -> None:
    spec, clock = spec_of(), Clock()
    store = Counting(spec)
    cached = CachedStore(store, SIZE, 10, clock)
    for time, reads in ((0, 1), (1, 1), (9.9, 1), (10, 2), (19.9, 2), (20, 3)):
        clock.now = time
        assert asyncio.run(cached.fetch(spec.spec_id)) == spec
        assert len(store.reads) == reads, time
    assert (cached.hits, cached.size) == (3, SIZE)


def test_a_deleted_spec_leaves_in_time() -> None:
    """The time counts from before the read, which may take long."""
    spec, clock = spec_of(), Clock()
    store = Counting(spec)
    cached = CachedStore(store, SIZE, 10, clock)
    assert asyncio.run(cached.fetch(spec.spec_id)) == spec
    store.specs.clear()
    clock.now = 9
    assert asyncio.run(cached.fetch(spec.spec_id)) == spec
    clock.now = 10
    assert asyncio.run(cached.fetch(spec.spec_id)) is None
    assert cached.size == 0


def test_what_is_missing_is_not_kept() -> None:
    """Else a spec would seem missing after it was stored."""
    spec = spec_of()
    store = Counting()
    cached = CachedStore(store, SIZE, 10, Clock())
    assert asyncio.run(cached.fetch(spec.spec_id)) is None
    asyncio.run(cached.store(spec))
    assert asyncio.run(cached.fetch(spec.spec_id)) == spec


@pytest.mark.parametrize(("sizes", "kept"), [
    ([SIZE] * 3, [0, 1, 2]), ([SIZE] * 5, [2, 3, 4]), ([SIZE, 3 * SIZE], [1]), ([SIZE, 3 * SIZE + 1], []),
])  # fmt: skip
def test_the_size_is_bounded(sizes: list[int], kept: list[int]) -> None:
    specs = [spec_of(size - ENTRY_BYTES) for size in sizes]
    store = Counting(*specs)
    cached = CachedStore(store, 3 * SIZE, 10, Clock())
    for spec in specs:
        asyncio.run(cached.fetch(spec.spec_id))
    assert cached.size == sum(sizes[number] for number in kept)
    store.is_down = True
    for number, spec in enumerate(specs):
        if number in kept:
            assert asyncio.run(cached.fetch(spec.spec_id)) == spec
        else:
            with pytest.raises(StorageUnavailable):
                asyncio.run(cached.fetch(spec.spec_id))


def test_the_one_that_was_used_last_is_kept() -> None:
    specs = [spec_of() for _ in range(3)]
    store = Counting(*specs)
    cached = CachedStore(store, 2 * SIZE, 10, Clock())
    for number in (0, 1, 0, 2, 0):
        asyncio.run(cached.fetch(specs[number].spec_id))
    assert store.reads == [spec.spec_id for spec in specs]


def test_requests_at_the_same_time() -> None:
    spec = spec_of()
    cached = CachedStore(Counting(spec), SIZE, 10, Clock())

    async def read_twice() -> None:
        assert await asyncio.gather(cached.fetch(spec.spec_id), cached.fetch(spec.spec_id)) == [spec, spec]

    asyncio.run(read_twice())
    assert cached.size == SIZE


def test_hot_specs_need_no_store() -> None:
    """Neither a spec, nor its page, nor a 304 reads the store while the spec is in memory."""
    store = Counting()
    with running(create_app(Settings(), store)) as service:
        spec_id = service.store()["specId"]
        first = service.client.get(f"/api/specs/{spec_id}")
        store.is_down = True
        tag = {"If-None-Match": first.headers["etag"]}
        assert service.client.get(f"/api/specs/{spec_id}").content == first.content
        assert service.client.get(f"/api/specs/{spec_id}", headers=tag).status_code == 304
        assert service.client.get(f"/specs/{spec_id}").status_code == 200
        assert store.reads == [spec_id]
        assert service.post("/api/specs", minimal_example()).status_code == 503


def test_the_cache_can_be_turned_off() -> None:
    store = Counting()
    with running(create_app(Settings(spec_cache_bytes=0), store)) as service:
        spec_id = service.store()["specId"]
        for _ in range(2):
            assert service.client.get(f"/api/specs/{spec_id}").status_code == 200
    assert store.reads == [spec_id] * 2
