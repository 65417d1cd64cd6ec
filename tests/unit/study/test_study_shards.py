"""Parts of a study, computed apart and merged, are the study."""

import pytest
from small_study import fails, same, small

import gudgeon as gd
from gudgeon.study import Store, Study, Table, merge


def test_shards_merge_to_the_whole(tmp_path):
    whole = small(keep=["pin.ex"]).run(tmp_path / "whole", processes=0)
    parts = [small(keep=["pin.ex"]).run(tmp_path / "s", shard=f"{k}/3", processes=0) for k in (1, 2, 3)]
    assert [len(part) for part in parts] == [14, 13, 13]
    assert merge(tmp_path / "s") == {"done": 40, "failed": 0, "crashed": 0, "todo": 0}
    table = Table.read(tmp_path / "s")
    assert same(table, whole) and table.shape == (8, 5)
    assert all((table.trace(k)["pin.ex"] == whole.trace(k)["pin.ex"]).all() for k in (0, 1, 39))
    # again: nothing new
    assert merge(tmp_path / "s")["done"] == 40


def test_what_a_missing_shard_lacks_is_computed_in_the_whole(tmp_path):
    whole = small().run(tmp_path / "whole", processes=0)
    for k in (1, 2):
        small().run(tmp_path / "s", shard=(k, 3), processes=0)
    with pytest.raises(gd.GudgeonError, match="13 of 40 runs are in none of the stores"):
        merge(tmp_path / "s")
    # a store of the whole, as a run of the study makes it, takes what there is
    Store.create(tmp_path / "s", small().about(), small().points).close()
    assert merge(tmp_path / "s") == {"done": 27, "failed": 0, "crashed": 0, "todo": 13}
    assert same(small().run(tmp_path / "s", processes=0), whole)


def test_a_shard_can_be_resumed_by_itself(tmp_path):
    small().run(tmp_path / "s", shard=(1, 4), processes=0)
    folder = tmp_path / "s" / "shard-1-of-4"
    assert len(Study.stored(folder).run(folder, processes=0)) == 10


def test_damaged_parts_are_left_out(tmp_path):
    for k in (1, 2):
        small(keep=["pin.ex"]).run(tmp_path / "s", shard=(k, 2), processes=0)
    chunk = sorted((tmp_path / "s" / "shard-2-of-2" / "chunks").iterdir())[0]
    chunk.write_bytes(chunk.read_bytes()[:-1])
    assert merge(tmp_path / "s") == {"done": 39, "failed": 0, "crashed": 0, "todo": 1}
    assert any("1 damaged ones are left out" in text for _, text in Store(tmp_path / "s").notes())
    assert (small(keep=["pin.ex"]).run(tmp_path / "s", processes=0).status == "done").all()


def test_failures_are_merged_too(tmp_path):
    for k in (1, 2):
        small(measure=["peak pin.force", fails]).run(tmp_path / "s", shard=(k, 2), processes=0)
    assert merge(tmp_path / "s") == {"done": 32, "failed": 8, "crashed": 0, "todo": 0}


def test_other_studies_are_refused(tmp_path):
    small().run(tmp_path / "one", processes=0)
    small(vary={"pin.restitution": [0.9]}).run(tmp_path / "two", processes=0)
    with pytest.raises(gd.GudgeonError, match="holds another study: it differs in vary"):
        merge(tmp_path / "one", [tmp_path / "two"])
    with pytest.raises(gd.GudgeonError, match="there are no shards"):
        merge(tmp_path / "one")
