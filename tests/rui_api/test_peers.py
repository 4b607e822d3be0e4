"""The samples and peers of the benchmarks know the whole vocabulary."""

from collections import defaultdict
from pathlib import Path

from benchmarks import peers
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.inputs.sample import sample


def test_samples_and_peers_know_every_node() -> None:
    """The samples and the peers of the benchmarks are written by hand, too."""
    sampled: defaultdict[str, set[str]] = defaultdict(set)
    nodes = list(sample(20_000)["pages"])
    for node in nodes:
        sampled[node["type"]] |= node.keys()
        nodes += node.get("children", [])
    expected = {name: {*shape.props} for name, shape in VOCABULARY.nodes.items()}
    assert sampled == expected
    assert {name: {*getattr(peers, name).model_fields} for name in expected} == expected
    source = Path(peers.__file__).with_suffix(".mjs").read_text()
    assert {name for name in expected if f'type: z.literal("{name}")' not in source} == set()
