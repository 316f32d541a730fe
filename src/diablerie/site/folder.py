"""Build the static site: a folder that any web server can serve, at the root of a host."""

import asyncio
import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import diablerie
from diablerie.engine.game import Game
from diablerie.engine.text import Line, render_line, say
from diablerie.games import ALL
from diablerie.site import pyodide
from diablerie.site.modules import ALL_RULES, CannotBuild
from diablerie.site.pages import Pages
from diablerie.site.walks import write_rules, write_walks
from diablerie.web.people.language import available, texts

OWN = ("python.mjs", "shell.js", "worker.mjs")  # beside `sw.js`, which names the files
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
SENTENCES = {  # what the shell may say, by its name in `shell.js`
    "waiting": say("The devils are waking up: in a moment you can play, here in your browser."),
    "later": say("Just a moment: what you chose opens as soon as the devils are awake."),
    "unable": say("This browser cannot run the games: it lacks WebAssembly or service workers."),
    "failed": say("The games could not be loaded: reload the page to try again."),
}
LINKED = re.compile(r'(?:href|src)="(/[^"#?]+)"')
SCRIPT = re.compile(r"<script\b[^>]*></script>")
COMPILE = """
import {{ loadPyodide }} from "{pyodide}";
const py = await loadPyodide();
py.FS.mkdirTree("/app");
py.FS.mount(py.FS.filesystems.NODEFS, {{ root: "{app}" }}, "/app");
py.runPython(`
import compileall
from py_compile import PycInvalidationMode as Mode
compileall.compile_dir("/app", quiet=1, legacy=True, invalidation_mode=Mode.UNCHECKED_HASH)
`);
process.exit(0);
"""
Tell = Callable[[str], None]


def build_site(folder: Path, games: Iterable[Game] = ALL.values(), tell: Tell = print) -> None:
    """Write the site into a folder, which must be empty or not exist; `tell` says what is done.

    Raises CannotBuild if something is missing that is needed, OSError.
    """
    if not shutil.which("node"):
        raise CannotBuild("The site is put together with node and npm, which are not installed.")
    if folder.exists() and any(folder.iterdir()):
        raise CannotBuild(f"{folder} is not empty: name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    played = list(games)
    tell("compiling the rules of the games")
    write_walks(folder, played, ALL_RULES)
    with TemporaryDirectory() as work:
        write_rules(Path(work), played)
        pack(Path(work) / "rules", folder / "rules.zip")
        tell("fetching Pyodide")
        try:
            _add_python(folder, Path(work) / "app")
        except pyodide.NotFetched as error:
            raise CannotBuild(str(error)) from None
    tell("making the first pages")
    _add_pages(folder)
    _add_scripts(folder)


def _add_python(folder: Path, app: Path) -> None:
    source = pyodide.fetched()
    (folder / "pyodide").mkdir()
    for name in pyodide.FILES:
        shutil.copyfile(source / name, folder / "pyodide" / name)
    pyodide.write_packages(app)
    _compile(folder, app)
    (folder / "licences.txt").write_text(pyodide.licences(), "utf-8")
    pack(app, folder / "app.zip")


def _compile(folder: Path, app: Path) -> None:
    """Compile all modules with the Python that will run them, and leave out their sources."""
    script = COMPILE.format(pyodide=(folder / "pyodide" / "pyodide.mjs").as_uri(), app=app)
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotBuild(f"Pyodide does not run in this node: {done.stderr.strip()[-300:]}")
    for source in app.rglob("*.py"):
        if source.with_suffix(".pyc").exists():
            source.unlink()


def pack(folder: Path, archive: Path) -> None:
    """Put a folder's files into a zip archive, always the same for the same files."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            name.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(name, path.read_bytes())


def _add_pages(folder: Path) -> None:
    """The landing page, ready-made, and the files it needs."""
    pages = Pages()

    def fetched(url: str) -> bytes:
        answer = asyncio.run(pages.answer("GET", url, {"accept": "text/html"}))
        if answer.status != 200:
            raise CannotBuild(f"{url} answers {answer.status}")
        return answer.body

    page = fetched("/").decode()
    for url in {found for found in LINKED.findall(page) if "." in found}:
        file = folder / url[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(fetched(url))
    (folder / "index.html").write_text(_shell(page), "utf-8")


def _shell(page: str) -> str:
    """The landing page as the page around all others."""
    said = " ".join(f'data-{name}="{_plain(line)}"' for name, line in SENTENCES.items())
    waiting = f'<p role="status" class="notice" {said}>{_plain(SENTENCES["waiting"])}</p>'
    title = _plain(say("The game"))
    frame = f'<iframe name="play" title="{title}" hidden></iframe>'
    policy = f'<meta http-equiv="content-security-policy" content="{POLICY}">'
    page = SCRIPT.sub("", page).replace("<head>", f"<head>\n{policy}", 1)
    style = '<link rel="stylesheet" href="/shell.css">'
    script = '<script type="module" src="/shell.js"></script>'
    page = page.replace("</head>", f"{style}\n{script}\n</head>", 1)
    return re.sub(r"(<body[^>]*>)", rf"\1\n{waiting}\n{frame}", page, count=1)


def _plain(line: Line) -> str:
    return render_line(line, texts(available()[0]), str)


def _add_scripts(folder: Path) -> None:
    """Our own scripts; the service worker, last, knows the digests of all files."""
    static = files("diablerie.site") / "static"
    for name in (*OWN, "shell.css"):
        (folder / name).write_bytes((static / name).read_bytes())
    kept = {
        "/" + path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.parent.name != "rules"
        and path.name not in ("walk.mjs", "walks.json")
    }
    worker = (static / "sw.js").read_text("utf-8")
    whole = hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:12]
    worker = worker.replace("__VERSION__", f"{diablerie.__version__}-{whole}")
    worker = worker.replace('"__FILES__"', json.dumps(kept, indent=2))
    (folder / "sw.js").write_text(worker, "utf-8")
