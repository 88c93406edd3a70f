"""Benchmarks of the corpus stage: classifying and sampling, compared with hand-written SQL that does the same.

The dialogues are generated and the same on every run: 4 to 20 turns (12 on average) about buses, with cues for
every rule.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from bench.harness import compare, main, within
from labelwright import tables
from labelwright.corpus import CategoriesPart, SamplePart, classify, sample

DATA = Path(__file__).parent / ".data"
SEED = 7
EACH = 2000
MEMORY = "3GB"

OPENINGS = [
    "i need to get to",
    "when is the next bus to",
    "i'm going from the museum to",
    "can you find me a way to",
]
PLACES = ["the airport", "oak street", "the river bridge", "north station", "the old market", "college hill"]
USER = [
    "yes", "no", "yes that is right", "tomorrow morning", "at half past nine", "the next one please",
    "no i said something else", "what about after that", "thank you goodbye", "start a new query", "help",
    "can you say that again", "the sixty one c", "uh", "i think it was on the left side of the road",
]  # fmt: skip
SYSTEM = [
    "where do you want to leave from", "did i get that right", "just a minute i will look that up",
    "there is a 61c leaving the museum at nine ten it will arrive at the airport at nine fifty",
    "i'm sorry i do not know any bus that goes there", "what can i do for you",
    "to ask about another trip you can say start a new query or say goodbye if you are finished",
    "if you want to travel now say now or tell me at what time you would like to go",
    "i think you want the next bus is that right", "please say the name of the stop once more",
]  # fmt: skip


def turns_file(dialogues: int) -> Path:
    """A table of turns with this number of dialogues."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"turns-{dialogues}.parquet"
    if not path.exists():
        making = duckdb.connect()
        making.execute(f"set memory_limit='{MEMORY}'; set preserve_insertion_order=true")
        user, system = (_list(values) for values in (USER, SYSTEM))
        making.sql(
            f"""copy (select 'call-' || lpad(i::varchar, 9, '0') as dialogue, p::int as position,
                case when p % 2 = 0 then 'system' else 'user' end as speaker,
                case when p % 2 = 0 then {system}[1 + (hash(i * 41 + p) % {4 * len(SYSTEM)} % {len(SYSTEM)})::int]
                     when p = 1 then {_list(OPENINGS)}[1 + (hash(i + 3) % {len(OPENINGS)})::int] || ' '
                          || {_list(PLACES)}[1 + (hash(i + 5) % {len(PLACES)})::int]
                     else {user}[1 + (hash(i * 43 + p) % {len(USER)})::int] end as normal
                from range({dialogues}) t(i), range(20) s(p) where p < 4 + hash(i) % 17)
                to '{path}' (format parquet, compression zstd)"""
        )
    return path


def _list(values: list[str]) -> str:
    return "[" + ", ".join("'" + value.replace("'", "''") + "'" for value in values) + "]"


def ours(path: Path) -> None:
    """The preset's categories and two thousand dialogues of each, through Ibis."""
    engine = tables.connect("duckdb://")
    engine.con.execute(f"set memory_limit='{MEMORY}'; set temp_directory='{DATA}/spill'")
    classified = classify(tables.read(path, engine), CategoriesPart(preset="lets_go"))
    drawn = sample(classified, SamplePart(method="per_stratum", n=EACH), SEED)
    found = tables.fetch(drawn, ["dialogue", "category"])
    assert found.num_rows == 5 * EACH, found.num_rows


def by_hand(path: Path) -> None:
    """The same dialogues with SQL written for this one purpose."""
    engine = duckdb.connect()
    engine.execute(f"set memory_limit='{MEMORY}'; set temp_directory='{DATA}/spill'")
    found = engine.sql(
        f"""with seen as (
              select dialogue, count(*) filter (speaker = 'user') as said,
                bool_or(speaker = 'user' and (contains(normal, 'start a new query') or contains(normal, 'new query'))) as again,
                bool_or(speaker = 'system' and regexp_matches(normal, '(?:leaving|leaves) .*(?:it will arrive|and arrives)')) as told,
                bool_or(speaker = 'system' and contains(normal, 'i''m sorry')) as sorry
              from '{path}' group by dialogue),
            classified as (
              select dialogue, case when said <= 3 then 'TooShort' when again then 'MultiTask' when told then 'TaskComplete'
                when sorry then 'OutOfScope' else 'TaskIncomplete' end as category from seen),
            ranked as (
              select *, md5('{SEED}' || chr(31) || 'sample' || chr(31) || dialogue) as rank from classified)
            select dialogue, category from ranked
            qualify row_number() over (partition by category order by rank) <= {EACH} order by rank"""
    ).to_arrow_table()
    assert found.num_rows == 5 * EACH, found.num_rows


def bench_million() -> None:
    """1 million dialogues, about 12 million turns."""
    path = turns_file(1_000_000)
    compare(
        "corpus: classify and sample 1 million dialogues / hand-written DuckDB SQL",
        lambda: ours(path),
        lambda: by_hand(path),
        bar=1.2,
    )


def bench_large() -> None:
    """10 million dialogues: memory, and time per dialogue compared with 1 million."""
    taken: dict[int, list[tuple[float, float]]] = {1_000_000: [], 10_000_000: []}
    # Alternating, because the machine is shared; the best of three runs each.
    for _ in range(3):
        for size, found in taken.items():
            found.append(_apart(size))
    figures = {size: (min(s for s, _ in found), max(gb for _, gb in found)) for size, found in taken.items()}
    per_dialogue = {size: 1e6 * seconds / size for size, (seconds, _) in figures.items()}
    compare(
        "corpus: time per dialogue at 10 million / at 1 million",
        lambda: per_dialogue[10_000_000],
        lambda: per_dialogue[1_000_000],
        bar=1.2,
        unit="us",
    )
    within("corpus: memory at 10 million dialogues", figures[10_000_000][1], 4.0, unit="GB")


def _apart(size: int) -> tuple[float, float]:
    """Seconds and gigabytes of one run in a separate process."""
    turns_file(size)
    told = subprocess.run(
        [sys.executable, "-m", "bench.corpus", "--apart", str(size)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return float(told[0]), float(told[1])


def run_apart(size: int) -> None:
    """Prints the time and peak memory of this process."""
    path = turns_file(size)
    # One-time costs of a process (imports, the first compilation) must not count against the smaller file.
    ours(turns_file(100_000))
    start = time.perf_counter()
    ours(path)
    print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)


if __name__ == "__main__":
    if "--apart" in sys.argv:
        run_apart(int(sys.argv[-1]))
    else:
        main({"million": bench_million, "large": bench_large})
