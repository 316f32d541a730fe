"""docs/data-attributes.md has every `data-*` attribute that a drawing writes, and no other."""

import re
from pathlib import Path

import diablerie
from diablerie.web.html import assets

ROOT = Path(diablerie.__file__).parent
DOCUMENT = ROOT.parent.parent / "docs" / "data-attributes.md"
WRITTEN = re.compile(r"\bdata-([a-z]+(?:-[a-z]+)*)")
ARGUMENT = re.compile(r"\bdata_([a-z]+(?:_[a-z]+)*)(?:\s*=|['\"])")  # of art.svg


def there() -> set[str]:
    """The attributes that drawings and what they draw with name, without `data-`."""
    texts = [p.read_text("utf-8") for kind in ("games", "art") for p in (ROOT / kind).rglob("*.py")]
    arguments = {name.replace("_", "-") for text in texts for name in ARGUMENT.findall(text)}
    return arguments.union(*map(WRITTEN.findall, texts))


def test_every_data_attribute_of_a_drawing_is_documented_once_and_no_other():
    documented = re.findall(r"^\| `data-([a-z-]+)` \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert len(documented) == len(set(documented))
    assert there() - set(documented) == set(), "not in docs/data-attributes.md"
    assert set(documented) - there() == set(), "not in the product any more"
    assert len(documented) > 30


def test_the_document_tells_four_things_of_each():
    rows = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    for row in rows:
        assert all(cell.strip() for cell in row.strip("|").split("|")), row
        assert row.count("|") == 5, row


def test_modules_that_the_document_names_exist():
    names = set(re.findall(r"`([\w/-]+\.(?:js|css|html|py))`", DOCUMENT.read_text("utf-8")))
    folders = (assets.STATIC_FOLDER, ROOT.parent.parent)
    assert [name for name in names if not any((f / name).exists() for f in folders)] == []
