"""docs/data-attributes.md has every `data-*` attribute there is, and no other."""

import re
from pathlib import Path

import diablerie
from diablerie.web.html import assets

ROOT = Path(diablerie.__file__).parent
DOCUMENT = ROOT.parent.parent / "docs" / "data-attributes.md"
WRITTEN = re.compile(r"\bdata-([a-z]+(?:-[a-z]+)*)")
ARGUMENT = re.compile(r"\bdata_([a-z]+(?:_[a-z]+)*)(?:\s*=|['\"])")  # of art.svg
READ = re.compile(r"\bdataset\.([a-zA-Z]+)")


def named(path: Path) -> set[str]:
    """The attributes that a file names, without `data-`."""
    text = path.read_text("utf-8")
    arguments = {name.replace("_", "-") for name in ARGUMENT.findall(text)}
    read = {re.sub("[A-Z]", lambda m: f"-{m[0].lower()}", name) for name in READ.findall(text)}
    return {*WRITTEN.findall(text), *(arguments if path.suffix == ".py" else read)}


def there() -> set[str]:
    """All attributes of templates, drawings, style sheets and scripts."""
    files = [
        *(path for kind in ("web/**/*.py", "games/**/*.py") for path in ROOT.glob(kind)),
        *(ROOT / "web" / "templates").rglob("*.html"),
        *ROOT.glob("games/**/*.css"),
        *assets.FOLDER.glob("*.css"),
        *assets.FOLDER.glob("*.js"),
    ]
    return set().union(*map(named, files))


def test_every_data_attribute_is_documented_once_and_no_other():
    documented = re.findall(r"^\| `data-([a-z-]+)` \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert len(documented) == len(set(documented))
    assert there() - set(documented) == set(), "not in docs/data-attributes.md"
    assert set(documented) - there() == set(), "not in the product any more"
    assert len(documented) > 80


def test_the_document_tells_four_things_of_each():
    rows = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    for row in rows:
        assert all(cell.strip() for cell in row.strip("|").split("|")), row
        assert row.count("|") == 5, row


def test_modules_and_templates_that_the_document_names_exist():
    names = set(re.findall(r"`([\w/-]+\.(?:js|css|html|py))`", DOCUMENT.read_text("utf-8")))
    folders = (assets.FOLDER, ROOT / "web" / "templates", ROOT, ROOT.parent.parent)
    assert [name for name in names if not any((f / name).exists() for f in folders)] == []
