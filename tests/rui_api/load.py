"""Clients that store at full speed and record the acknowledged specs."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, PATIENT, wait_until


class Load:
    """Results of the requests of all clients.

    Attributes:
        acknowledged: id of a spec → body of the 201.
        statuses: number of responses by status.
    """

    def __init__(self) -> None:
        self.acknowledged: dict[str, bytes] = {}
        self.statuses: Counter[int] = Counter()
        self._answered: Counter[int] = Counter()
        self._ends = False

    @contextmanager
    def on(self, url: str, clients: int = 8) -> Iterator[None]:
        """Run the clients in a `with` block; a client with a broken connection stops."""
        self._ends = False
        self._answered = Counter(dict.fromkeys(range(clients), 0))
        threads = [threading.Thread(target=self._store, args=(url, number)) for number in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ends = True
            for thread in threads:
                thread.join()

    def wait_for(self, more: int) -> None:
        """Wait until the service has acknowledged `more` additional specs."""
        goal = len(self.acknowledged) + more
        wait_until(lambda: len(self.acknowledged) >= goal, f"{more} more specs acknowledged")

    def wait_until_refused(self, more: int = 1) -> None:
        """Wait until the service has answered 503 to `more` additional requests."""
        goal = self.statuses[503] + more
        wait_until(lambda: self.statuses[503] >= goal, f"{more} more requests answered 503")

    def wait_until_each_is_answered(self) -> None:
        """Wait until no client waits for the answer to a request that it has sent before this call."""
        before = self._answered.copy()
        wait_until(lambda: all(self._answered[client] > before[client] for client in before), "each client is answered")

    def check_kept(self, client: httpx.Client) -> None:
        """Every acknowledged spec is stored byte for byte."""
        assert self.acknowledged
        for spec_id, content in list(self.acknowledged.items()):
            url = f"/api/specs/{spec_id}"
            answer = client.get(url)
            if answer.status_code == 503:  # Reads have connections of their own, which recover by themselves.
                wait_until(lambda url=url: client.get(url).status_code != 503, "the store can be read again")
                answer = client.get(url)
            assert answer.status_code == 200, f"{spec_id} was acknowledged and is lost: {answer.text}"
            assert answer.content == content

    def _store(self, url: str, number: int) -> None:
        with httpx.Client(base_url=url, headers=JSON, timeout=PATIENT) as client:
            try:
                while not self._ends:
                    answer = client.post("/api/specs", json=minimal_example())
                    self._answered[number] += 1
                    self.statuses[answer.status_code] += 1
                    if answer.status_code == 201:
                        self.acknowledged[answer.json()["specId"]] = answer.content
            except httpx.TransportError:
                return
