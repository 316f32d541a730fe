"""Laws of all markup that is drawn."""

import re
import xml.etree.ElementTree as ET

PLACE = re.compile(r"-?\d+(\.\d+)?")


def checked(svg: str) -> ET.Element:
    """The parsed picture, after checking that it is well formed, safe and has unique ids."""
    root = ET.fromstring(svg)
    ids = [el.get("id") for el in root.iter() if el.get("id")]
    assert len(ids) == len(set(ids))
    for el in root.iter():
        assert not {"style", "onclick", "onload"} & el.attrib.keys()
        assert not el.tag.endswith(("script", "style", "foreignObject", "image"))
        for key, value in el.attrib.items():
            assert "http" not in value or key == "xmlns"
            assert "nan" not in value.lower().split()
    return root


def classes(root: ET.Element) -> set[str]:
    """Every class used in it."""
    return {name for el in root.iter() for name in (el.get("class") or "").split()}
