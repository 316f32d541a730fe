"""What sites before 0.4.0 kept for all folders of an origin, and which folder gets it: without Python."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Error, Page

from tests.site.test_channels import (  # noqa: F401 (fixtures)
    ELSEWHERE,
    at,
    browser_of,
    distrustful,
    folder_of,
    port,
)

pytestmark = [pytest.mark.browser, pytest.mark.ci, pytest.mark.xdist_group("channels")]
Files = dict[str, str]
GAMES = {
    "/data/tables.db": "SQLite format 3 ... CREATE TABLE matches (",
    "/data/tables.db-journal": "",
    "/data/cookies.json": '{"": {"diablerie": "secret"}}',
}
FOREIGN = {
    "/data/tables.db": "SQLite format 3 ... CREATE TABLE accounts (",
    "/data/notes.txt": "mine",
}
# as Emscripten's file system in IndexedDB has files; each text holds bytes, as latin-1
STORE = """(files) => new Promise((done, failed) => {
  const opening = indexedDB.open("/data", 21);
  opening.onupgradeneeded = () => {
    const made = opening.result.createObjectStore("FILE_DATA");
    made.createIndex("timestamp", "timestamp", { unique: false });
  };
  opening.onerror = failed;
  opening.onsuccess = () => {
    const writing = opening.result.transaction("FILE_DATA", "readwrite");
    writing.objectStore("FILE_DATA").put({ timestamp: new Date(0), mode: 0o40755 }, "/data");
    for (const [path, text] of Object.entries(files)) {
      const contents = Uint8Array.from(text, (one) => one.charCodeAt(0));
      writing.objectStore("FILE_DATA").put({ timestamp: new Date(), mode: 0o100644, contents }, path);
    }
    writing.oncomplete = () => (opening.result.close(), done());
  };
})"""
LEFT = """async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === "/data")) return null;
  return new Promise((done) => {
    const opening = indexedDB.open("/data");
    opening.onsuccess = () => {
      const asked = opening.result.transaction("FILE_DATA").objectStore("FILE_DATA").getAllKeys();
      asked.onsuccess = () => (opening.result.close(), done(asked.result.filter((one) => one !== "/data")));
    };
  });
}"""
CACHED = """async ([version, files]) => {
  const cache = await caches.open(`diablerie-${version}`);
  for (const file of files) await cache.put(new URL(file, document.baseURI), new Response("old"));
}"""
TAKEN = """async (meanwhile) => {
  const { takeOver } = await import("./earlier.js");
  const given = {};
  await takeOver(async (files) => {
    for (const [name, bytes] of Object.entries(files)) given[name] = new TextDecoder("latin1").decode(bytes);
    if (meanwhile) await eval(meanwhile);
  });
  return given;
}"""
OLD = ["site.json", "shell.js", "python/pyodide.mjs-gz.bin", "python/app.zip-zst.bin"]
NAMED = {path.removeprefix("/data/"): text for path, text in GAMES.items()}

Windows = Callable[..., Page]


@pytest.fixture
def window(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
) -> Windows:
    """A function that opens a folder in one browser, in which an earlier site has been or not."""
    context = browser_of()

    def opened(folder: str, version: str = "") -> Page:
        page = at(context, folder)
        if version:
            page.evaluate(CACHED, [version, OLD])
        return page

    return opened


def taking(page: Page) -> str:
    """The script by which a page takes over."""
    return TAKEN.replace("./", folder_of(page))


def taken(page: Page, meanwhile: str = "") -> Files:
    """What the folder of a page takes over."""
    found: Files = page.evaluate(taking(page), meanwhile)
    return found


def left(page: Page) -> list[str] | None:
    found: list[str] | None = page.evaluate(LEFT)
    return found


def test_all_folders_that_had_a_site_get_the_games_and_the_last_removes_them(
    window: Windows,
) -> None:
    one, other, new = window("a/", "0.3.0-1"), window("b/", "0.3.0-1"), window("c/")
    one.evaluate(STORE, GAMES)
    assert taken(new) == {}  # it never had them
    assert taken(one) == NAMED
    assert left(other) == sorted(GAMES)
    assert other.evaluate("caches.keys()") == ["diablerie-0.3.0-1"]
    kept = other.evaluate("caches.match(new URL('shell.js', document.baseURI)).then(Boolean)")
    assert kept  # what its own pages need
    assert taken(other) == NAMED
    assert left(one) == []
    assert one.evaluate("caches.keys()") == []
    assert taken(one) == taken(other) == taken(new) == {}


def test_a_folder_above_another_leaves_it_what_it_has(window: Windows) -> None:
    above, below = window("", "0.3.0-1"), window("python/", "0.3.0-1")
    above.evaluate(STORE, GAMES)
    assert taken(above) == NAMED
    assert taken(below) == NAMED
    assert left(above) == []
    assert above.evaluate("caches.keys()") == []


def test_folders_that_open_at_once_lose_nothing(window: Windows) -> None:
    one, other = window("a/", "0.3.0-1"), window("b/", "0.4.0.dev0-2")
    one.evaluate(STORE, GAMES)
    for page in (one, other):
        page.evaluate(f"() => void (window.taking = ({taking(page)})())")
    assert [page.evaluate("taking") for page in (one, other)] == [NAMED] * 2
    assert left(one) == []


def test_over_plain_http_the_first_folder_gets_the_games(
    port: int,  # noqa: F811
    distrustful: BrowserContext,  # noqa: F811
) -> None:
    """There are no caches that could tell whose they are."""
    pages = []
    for folder in ("a/", "b/"):
        page = distrustful.new_page()
        page.goto(f"http://{ELSEWHERE}:{port}/{folder}shell.css")
        page.evaluate(
            "(href) => document.head.append(Object.assign(document.createElement('base'), { href }))",
            f"http://{ELSEWHERE}:{port}/{folder}",
        )
        pages.append(page)
    one, other = pages
    assert not one.evaluate("'caches' in self")
    one.evaluate(STORE, GAMES)
    assert taken(one) == NAMED
    assert taken(other) == {}
    assert left(one) == []


def test_where_a_browser_refuses_caches_the_games_are_taken_all_the_same(window: Windows) -> None:
    """As in private windows."""
    page = window("a/")
    page.evaluate(STORE, GAMES)
    refusing = (
        "() => { caches.keys = async () => { throw new DOMException('no', 'SecurityError'); }; }"
    )
    page.evaluate(refusing)
    assert taken(page) == NAMED
    assert left(page) == []


def test_where_no_site_has_been_no_database_is_made(window: Windows) -> None:
    page = window("a/")
    assert taken(page) == {}
    assert left(page) is None


def test_another_programs_files_stay_where_they_are(window: Windows) -> None:
    page = window("a/")
    page.evaluate(STORE, FOREIGN)
    assert taken(page) == {}
    assert left(page) == sorted(FOREIGN)
    page.evaluate(STORE, GAMES)
    assert taken(page) == NAMED
    assert left(page) == ["/data/notes.txt"]


def test_a_damaged_file_is_taken_with_the_others(window: Windows) -> None:
    page = window("a/")
    page.evaluate(STORE, GAMES | {"/data/cookies.json": ""})
    assert taken(page) == NAMED | {"cookies.json": ""}


def test_what_could_not_be_stored_is_taken_over_the_next_time(window: Windows) -> None:
    page = window("a/", "0.3.0-1")
    page.evaluate(STORE, GAMES)
    full = "Promise.reject(new DOMException('full', 'QuotaExceededError'))"
    with pytest.raises(Error, match="full"):
        taken(page, full)
    assert left(page) == sorted(GAMES)
    assert taken(page) == NAMED


def test_what_an_open_window_of_before_writes_meanwhile_is_not_removed(window: Windows) -> None:
    one, other = window("a/"), window("b/")
    one.evaluate(STORE, GAMES)
    later = GAMES | {"/data/tables.db": GAMES["/data/tables.db"] + " later"}
    one.evaluate(f"() => {{ window.store = {STORE}; }}")
    one.wait_for_timeout(2)  # another millisecond, by which files differ
    taken(one, f"store({later})")
    assert left(one) == sorted(GAMES)
    assert taken(other)["tables.db"].endswith(" later")


def test_games_that_are_here_are_not_written_over(window: Windows) -> None:
    page = window("a/", "0.3.0-1")
    page.evaluate(STORE, GAMES)
    script = "import('{}earlier.js').then(({{ takeOver }}) => takeOver(null))"
    page.evaluate(script.format(folder_of(page)))  # as after an end between storing and removing
    assert left(page) == []
    assert page.evaluate("caches.keys()") == []
    page.evaluate(STORE, GAMES)  # as a window of before does that is still open
    page.evaluate(script.format(folder_of(page)))
    assert left(page) == sorted(GAMES)
