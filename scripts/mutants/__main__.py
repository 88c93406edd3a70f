"""Changes the code of the pure core in small ways, a seeded sample of them, and lists those that no test notices.

python -m scripts.mutants --sample 150 --seed 1 --minutes 15 [--packages agreement,crowd] [--only text]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Self

from scripts.mutants.changes import Mutant, find_mutants
from scripts.mutants.tests import QUIET, Tests, environment, record_tests

HERE = Path(__file__).resolve().parents[2]
PACKAGES = "agreement,analysis,crowd,quality,task"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main() -> None:
    asked = _arguments()
    packages = [name for name in asked.packages.split(",") if (HERE / "src/labelwright" / name).is_dir()]
    root = HERE / "src/labelwright"
    everything = [
        mutant
        for package in packages
        for path in sorted((root / package).rglob("*.py"))
        for mutant in find_mutants(root, path)
    ]
    known = read_equivalent(everything, packages)
    sample = draw(everything, asked.sample, asked.seed)
    if asked.only:
        sample = [mutant for mutant in everything if asked.only in f"{mutant.where} {mutant.change}"]
    with tempfile.TemporaryDirectory(prefix="lw-mutants-") as folder:
        trees = [copy_tree(Path(folder) / str(number)) for number in range(asked.jobs)]
        tests = record_tests(trees[0], packages, HERE / ".mutants")
        until = time.monotonic() + asked.minutes * 60
        with ExitStack() as opened:
            places = [opened.enter_context(Place(tree)) for tree in trees]
            results = list(_try_all(sample, known, places, tests, until))
    print(f"{len(everything):,} possible changes; seed {asked.seed}, {len(sample):,} drawn.")
    score = report(results, known)
    if score < asked.least:
        sys.exit(f"{score:.1f}% were noticed; expected at least {asked.least}%. Sharpen an assertion.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=150, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=15, help="no change is tried after so long")
    parser.add_argument("--packages", default=PACKAGES)
    parser.add_argument(
        "--only", default="", help="instead of a sample, all changes whose line holds this text"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=85, help="fails when fewer percent are noticed")
    return parser.parse_args()


def draw(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """A sample that stays the same when lines move or other functions change."""

    def rank(mutant: Mutant) -> str:
        return hashlib.sha256(f"{seed}\n{mutant.where}\n{mutant.change}".encode()).hexdigest()

    return sorted(mutants, key=rank)[:size]


def read_equivalent(mutants: Sequence[Mutant], packages: Sequence[str]) -> dict[tuple[str, str], str]:
    """The changes that cannot be noticed, with the reason; says which entries fit nothing any more."""
    entries = tomllib.loads(EQUIVALENT.read_text())["mutant"] if EQUIVALENT.exists() else []
    existing = {(mutant.where, mutant.change) for mutant in mutants}
    known = {}
    for entry in entries:
        key = (entry["where"], entry["change"])
        known[key] = entry["reason"]
        if key not in existing and key[0].split("/", 1)[0] in packages:
            print(f"{EQUIVALENT.name}: no such change any more: {key[0]}: {key[1]}")
    return known


def copy_tree(target: Path) -> Path:
    """The working tree without what git ignores, so that a change never touches the real files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HERE,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        source = HERE / name
        if name and source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    return target


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mutant."""

    mutant: Mutant
    noticed: bool
    how: str
    """By a failing test, by taking too long, or why not."""


def _try_all(
    sample: Sequence[Mutant],
    known: dict[tuple[str, str], str],
    places: Sequence[Place],
    tests: Tests,
    until: float,
) -> Iterator[Result]:
    free: SimpleQueue[Place] = SimpleQueue()
    for place in places:
        free.put(place)
    talking = Lock()

    def one(mutant: Mutant) -> Result | None:
        if time.monotonic() > until or (mutant.where, mutant.change) in known:
            return None
        place = free.get()
        try:
            result = place.try_mutant(mutant, tests)
        finally:
            free.put(place)
        with talking:
            sign = "." if result.noticed else "\n! " + line_of(result) + "\n"
            print(sign, end="", flush=True)
        return result

    with ThreadPoolExecutor(len(places)) as pool:
        yield from (result for result in pool.map(one, sample) if result)
    print()


class Place:
    """A copy of the tree and a process that runs its tests."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self._second = int(time.time())

    def __enter__(self) -> Self:
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "scripts.mutants.worker"],
            cwd=self.tree,
            env=environment(self.tree),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.terminate()
        self._worker.communicate()

    def try_mutant(self, mutant: Mutant, tests: Tests) -> Result:
        chosen = tests.of(mutant.path, mutant.line)
        if not chosen:
            return Result(mutant, False, "no test runs this line")
        (self.tree / "chosen.txt").write_text("\n".join(chosen))
        usual = sum(tests.seconds.get(test, 0.0) for test in chosen)
        path = self.tree / "src/labelwright" / mutant.path
        original = path.read_bytes()
        self._write(path, mutant.applied_to(original))
        try:
            how = self._ask(["-x", *QUIET, "@chosen.txt"], 30 + 5 * usual)
        finally:
            self._write(path, original)
        return Result(mutant, how != "passed", f"{len(chosen)} tests passed" if how == "passed" else how)

    def _ask(self, arguments: list[str], seconds: float) -> str:
        assert self._worker.stdin
        assert self._worker.stdout
        print(json.dumps({"arguments": arguments, "seconds": seconds}), file=self._worker.stdin, flush=True)
        answer = self._worker.stdout.readline().strip()
        assert answer, "the process that runs the tests has ended"
        return answer

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        # Python takes compiled code for current when size and second are equal; many changes keep the size.
        self._second += 2
        os.utime(path, (self._second, self._second))


def line_of(result: Result) -> str:
    mutant = result.mutant
    return f"src/labelwright/{mutant.path}:{mutant.line}: in {mutant.within or 'the module'}: {mutant.change}   [{result.how}]"


def report(results: Sequence[Result], known: dict[tuple[str, str], str]) -> float:
    tried = Counter(result.mutant.package for result in results)
    noticed = Counter(result.mutant.package for result in results if result.noticed)
    unnoticed = sorted((r for r in results if not r.noticed), key=lambda r: (r.mutant.path, r.mutant.line))
    print(f"\nNot noticed ({len(unnoticed)}):")
    for result in unnoticed:
        print("  " + line_of(result))
    print(f"\n{'package':12} noticed  tried")
    for package in sorted(tried):
        share = 100 * noticed[package] / tried[package]
        print(f"{package:12} {noticed[package]:7} {tried[package]:6}  {share:5.1f}%")
    score = 100 * noticed.total() / tried.total() if results else 100.0
    print(f"{'all':12} {noticed.total():7} {tried.total():6}  {score:5.1f}%")
    print(f"{len(known)} changes are known to be equivalent and were not counted ({EQUIVALENT.name}).")
    return score


if __name__ == "__main__":
    main()
