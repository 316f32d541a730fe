"""Style sheets and modules joined into one file each."""

import re

import pytest

from diablerie.web.html import assets

MODULES = {
    "app": 'import * as a from "./a.js";\nimport { b } from "./b.js";\na.start(b);\n',
    "a": 'import { b } from "./b.js";\n\nexport function start() {}\nexport const c = 1;\n',
    "b": "export async function b() {}\n",
}


def test_layers_stand_in_their_order():
    assert (
        assets.sheet({"a": "p {}", "b": "q {}"}) == "@layer a {\np {}\n}\n\n@layer b {\nq {}\n}\n"
    )


def test_a_module_stands_once_and_after_those_that_it_imports():
    joined = assets.script("app", MODULES.__getitem__)
    assert re.findall(r"^// -- (\w+)\.js$", joined, re.MULTILINE) == ["b", "a", "app"]
    assert "const { b } = b_js;\n\nfunction start() {}\nconst c = 1;\n" in joined
    assert "return { start, c };\n})();\n" in joined
    assert "const a = a_js;\nconst { b } = b_js;\na.start(b);\n})();\n" in joined


@pytest.mark.parametrize(
    "line",
    [
        'import "./b.js";',
        'import b from "./b.js";',
        'import { b as c } from "./b.js";',
        "export default 1;",
        "export let b = 1;",
        "export { b };",
        'const b = await import("./b.js");',
        "const here = import.meta.url;",
    ],
)
def test_what_cannot_be_joined_is_refused(line: str):
    with pytest.raises(ValueError, match=r"app\.js: this cannot be joined"):
        assets.script("app", {"app": line + "\n", "b": MODULES["b"]}.__getitem__)


def test_modules_that_import_each_other_are_refused():
    circle = {"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match="a → b → a"):
        assets.script("a", circle.__getitem__)


def test_every_sheet_and_every_module_is_in_what_is_joined():
    names = {path.stem for path in assets.STATIC_FOLDER.glob("*.css")}
    names -= {assets.DRAWING, assets.PRINT.removesuffix(".css")}
    joined = [name for names in assets.LAYERS.values() for name in names]
    assert sorted(joined) == sorted(names)
    modules = {path.stem for path in assets.STATIC_FOLDER.glob("*.js")} - {"worker"}
    script = assets.contents()["app.js"].decode()
    assert set(re.findall(r"^// -- (\w+)\.js$", script, re.MULTILINE)) == modules
