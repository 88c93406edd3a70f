"""Registries: names, plug-ins of installed packages, and what a broken one may do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from labelwright import registry as registries
from labelwright.registry import BrokenPlugIn, NameTaken, Registry, Tagged, UnknownName, broken_plug_ins

GROUP = "labelwright.test_things"


@pytest.fixture
def things() -> Iterator[Registry[str]]:
    """A registry with a thing of our own."""
    made: Registry[str] = Registry("thing", GROUP, "what `register` was given")
    made.register("ours", "our thing", source="our thing", module="labelwright.things")
    yield made
    registries._REGISTRIES.remove(made)


class Package:
    """Writes installed packages that provide things."""

    def __init__(self, folder: Path, registry: Registry[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setattr(registries, "_things_under_test", registry, raising=False)

    def install(self, package: str, code: str, **points: str) -> None:
        """A package with a module of the same name, and its entry points."""
        module = package.replace("-", "_")
        source = "from labelwright.registry import _things_under_test as things\n" + code
        (self.folder / f"{module}.py").write_text(source)
        info = self.folder / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        listed = "\n".join(f"{name} = {module}:{value}" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{listed}\n")


@pytest.fixture
def package(tmp_path: Path, things: Registry[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    yield Package(tmp_path, things, monkeypatch)
    for name in [name for name in sys.modules if name.startswith("acme_")]:
        del sys.modules[name]


def _registering(name: str, variable: str) -> str:
    return (
        f"{variable} = ['{name} of', __name__]\n"
        f"things.register({name!r}, ' '.join({variable}), source={variable}, module=__name__)\n"
    )


def test_an_unknown_name_lists_the_known_ones_and_the_nearest(things: Registry[str]):
    with pytest.raises(UnknownName) as found:
        things["our"]
    assert str(found.value) == 'thing "our" is not known. Expected one of: ours. Did you mean "ours"?'
    assert things.get("our", "none") == "none"
    assert "our" not in things


def test_a_name_cannot_be_registered_by_two_modules(things: Registry[str]):
    with pytest.raises(NameTaken, match=r'thing "ours" of elsewhere .* labelwright\.things uses already'):
        things.register("ours", "x", source="x", module="elsewhere")
    things.register("ours", "again", source="again", module="labelwright.things")
    assert things["ours"] == "again"


def test_a_package_adds_a_thing_which_is_imported_when_it_is_used(things: Registry[str], package: Package):
    code = _registering("new", "NEW") + f"open({str(package.folder / 'imported')!r}, 'w').close()\n"
    package.install("acme-new", code, new="NEW")
    assert things.names() == ["new", "ours"]
    assert things["ours"] == "our thing"
    assert not (package.folder / "imported").exists()
    assert things["new"] == "new of acme_new"
    assert dict(things) == {"new": "new of acme_new", "ours": "our thing"}
    assert distribution("acme-new").version == "1.0"
    assert broken_plug_ins() == []


def test_a_package_that_cannot_be_imported_fails_only_under_its_name(things: Registry[str], package: Package):
    package.install("acme-lost", "import no_such_module_anywhere\n", lost="THING")
    package.install("acme-good", _registering("good", "GOOD"), good="GOOD")
    assert dict(things) == {"good": "good of acme_good", "ours": "our thing"}
    with pytest.raises(BrokenPlugIn) as found:
        things["lost"]
    assert str(found.value) == (
        f'package "acme-lost", entry point "lost = acme_lost:THING" of {GROUP}: it cannot be imported: '
        "ModuleNotFoundError: No module named 'no_such_module_anywhere'. "
        "Update the package, or remove it with `pip uninstall acme-lost`."
    )
    assert (found.value.package, found.value.entry_point, found.value.group) == ("acme-lost", "lost", GROUP)
    assert [broken.package for broken in broken_plug_ins()] == ["acme-lost"]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("odd = 7\n", 'it points at 7, which is not a thing registered as "odd"'),
        (_registering("other", "odd"), 'which is not a thing registered as "odd"'),
        ("", "AttributeError"),
        ("raise SystemError('bad wheel')\n", "SystemError: bad wheel"),
    ],
    ids=["another kind of thing", "another name", "nothing there", "an import that fails"],
)
def test_a_package_that_gives_the_wrong_thing_says_so(
    things: Registry[str], package: Package, code: str, says: str
):
    package.install("acme-odd", code, odd="odd")
    with pytest.raises(BrokenPlugIn, match='package "acme-odd"') as found:
        things["odd"]
    assert says in str(found.value)
    assert things["ours"] == "our thing"


@pytest.mark.parametrize(
    "code",
    ["ours = 'their thing'\n", _registering("ours", "ours")],
    ids=["not registered", "registered again"],
)
def test_a_name_of_ours_stays_ours_and_the_package_is_reported(
    things: Registry[str], package: Package, code: str
):
    package.install("acme-ours", code, ours="ours")
    assert things["ours"] == "our thing"
    (broken,) = broken_plug_ins()
    assert broken.package == "acme-ours"
    assert "labelwright.things" in str(broken)
    assert things["ours"] == "our thing"


def test_a_name_that_two_packages_claim_is_used_by_neither(things: Registry[str], package: Package):
    package.install("acme-one", _registering("same", "SAME"), same="SAME")
    package.install("acme-two", _registering("same", "SAME"), same="SAME")
    with pytest.raises(
        BrokenPlugIn, match=r'"acme-one".* the thing "same" is also provided by the package "acme-two"'
    ):
        things["same"]
    assert list(things) == ["ours"]


class _Shape(BaseModel):
    kind: str


class _Circle(_Shape):
    kind: Literal["circle"]
    radius: int


@pytest.fixture
def shapes() -> Iterator[TypeAdapter[Any]]:
    made: Registry[type[_Shape]] = Registry("shape", "labelwright.test_shapes", "a shape")
    made.register("circle", _Circle, source=_Circle, module=__name__)
    yield TypeAdapter(list[Annotated[_Shape, Tagged(made, "kind")]])
    registries._REGISTRIES.remove(made)


def test_a_tag_finds_the_model(shapes: TypeAdapter[Any]):
    (found,) = shapes.validate_python([{"kind": "circle", "radius": 2}])
    assert found == _Circle(kind="circle", radius=2)
    assert shapes.validate_python([found]) == [found]
    assert shapes.dump_python([found]) == [{"kind": "circle", "radius": 2}]
    (ref,) = shapes.json_schema()["items"]["oneOf"]
    assert shapes.json_schema()["$defs"][ref["$ref"].rpartition("/")[2]]["title"] == "_Circle"


@pytest.mark.parametrize(
    ("given", "location", "kind"),
    [
        ({"kind": "circle", "radius": "wide"}, (0, "circle", "radius"), "int_parsing"),
        ({"kind": "square"}, (0,), "union_tag_invalid"),
        ({"kind": ["circle"]}, (0,), "union_tag_invalid"),
        ({"radius": 1}, (0,), "union_tag_not_found"),
        ("circle", (0,), "model_attributes_type"),
    ],
)
def test_errors_are_those_of_a_tagged_union(
    shapes: TypeAdapter[Any], given: Any, location: tuple[Any, ...], kind: str
):
    with pytest.raises(ValidationError) as found:
        shapes.validate_python([given])
    (error,) = found.value.errors()
    assert (error["loc"], error["type"]) == (location, kind)


def test_threads_that_come_first_at_once_find_everything():
    """A server's first requests arrive together; each must see the whole registry."""
    program = """
import sys, threading
sys.setswitchinterval(1e-6)
from concurrent.futures import ThreadPoolExecutor
from labelwright.corpus import READERS
start = threading.Barrier(8)
def look(_):
    start.wait()
    return READERS["redial"].name
with ThreadPoolExecutor(8) as pool:
    assert list(pool.map(look, range(8))) == ["redial"] * 8
"""
    for _ in range(3):
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
