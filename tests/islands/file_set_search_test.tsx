import { assert, assertEquals } from "@std/assert";
import { loadFileSets } from "../../components/file_sets/load_file_sets.ts";
import {
  invalidSearch,
  packState,
  type SearchState,
} from "../../components/file_sets/search/search_state.ts";
import { parseFileSetsView } from "../../components/file_sets/file_sets_link.ts";
import { FileSetTable } from "../../components/file_sets/file_set_table.tsx";
import { FileSetSearch } from "../../islands/FileSetSearch.tsx";
import { createClient } from "../../lib/client/client.ts";
import type { Fault } from "../../lib/testing/faults.ts";
import { makeFileSets } from "../../lib/testing/make_rows.ts";
import { createTestService } from "../../lib/testing/service.ts";
import { type BrowserPage, withBrowserPage } from "../components/browser_page.ts";
import { eventually } from "../eventually.ts";
import { holdTimers } from "../hold_timers.ts";

const ORIGIN = "https://docket.example";
const FILE_SETS = makeFileSets(60).map((fileSet, at) => ({
  ...fileSet,
  name: `Set ${at}`,
  owner: at < 12 ? "Finance" : "Legal",
  fileCount: 1000 + at,
}));

/** What a test of the search works with. */
interface Search {
  readonly page: BrowserPage;
  /** What goes wrong with the next requests. */
  readonly faults: (Fault | undefined)[];
  /** The paths that were asked for, without those of facets. */
  readonly asked: () => string[];
  /** Waits until this is the result that is told. */
  result(text: string): Promise<void>;
  /** Clicks on the link with that text, with keys held. */
  follow(name: string, options?: MouseEventInit): Promise<boolean>;
  /** Sends the query. */
  search(query: string): Promise<void>;
}

/** Shows the search of a link as the server would have drawn it. */
async function withSearch(
  query: string,
  test: (search: Search) => Promise<void>,
  initial: Partial<SearchState> = {},
): Promise<void> {
  const faults: (Fault | undefined)[] = [];
  const service = createTestService({ fileSets: FILE_SETS, faults: () => faults.shift() });
  const client = createClient({ baseUrl: ORIGIN, token: null, fetch: service.fetch });
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    String(input).startsWith("/filesets/facets")
      ? Promise.resolve(Response.json(null))
      : service.fetch(input, init);
  try {
    await withBrowserPage("", async (page) => {
      const dates = { zone: "UTC", now: Date.now() };
      history.replaceState(null, "", `/filesets?${query}`);
      const parsed = parseFileSetsView(new URLSearchParams(query), dates);
      const state = await loadFileSets(client, parsed, new AbortController().signal);
      const sent = service.requests.length;
      await page.draw(
        <FileSetSearch
          initial={packState({ ...state, ...initial })}
          conditions={<p>server's conditions</p>}
          table={<FileSetTable fileSets={state.page!.fileSets!} view={parsed.view} />}
          drawer={null}
          facetsPanel={<p>server's facets</p>}
          tableOptions={<p>options</p>}
          codeTexts={<p>server's code</p>}
          upstream={false}
          zone="UTC"
          target={{ origin: ORIGIN, tokenHeader: "X-SERVICE-Developer-Token" }}
        />,
      );
      const told = () => page.texts("[data-result]")[0];
      await test({
        page,
        faults,
        asked: () =>
          service.requests.slice(sent).map(({ url, body }) => `${new URL(url).search} ${body}`),
        result: (text) => eventually(() => assertEquals(told(), text)),
        async follow(name, options) {
          const link = [...document.querySelectorAll("main a")].find((each) =>
            each.textContent!.trim().startsWith(name)
          );
          if (!link) throw new Error(`There is no link ${name}: ${document.body.innerHTML}`);
          let isTaken = false;
          // The page itself is never left.
          const onClick = (event: Event) => {
            isTaken = event.defaultPrevented;
            event.preventDefault();
          };
          document.addEventListener("click", onClick, { once: true });
          const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...options });
          (link as HTMLElement).focus();
          link.dispatchEvent(event);
          await page.settled();
          return isTaken;
        },
        async search(text) {
          page.find<HTMLInputElement>("#q").value = text;
          page.find("form.search button").click();
          await page.settled();
        },
      });
    });
  } finally {
    globalThis.fetch = fetch;
  }
}

const rows = (page: BrowserPage) => page.texts("tbody th");

Deno.test("FileSetSearch: pages without leaving the page; the URL and the focus go along", () =>
  withSearch("limit=25", async ({ page, asked, result, follow }) => {
    await result("60 file sets, 1 to 25 shown");
    assertEquals(page.find(".pager").getAttribute("aria-label"), "Pages of file sets");
    assertEquals(page.texts("p").includes("server's facets"), true);
    assertEquals(await follow("Next"), true);
    await result("60 file sets, 26 to 50 shown");
    assertEquals(rows(page)[0], "Set 25");
    assertEquals(location.search, "?limit=25&offset=25");
    assertEquals(document.activeElement!.textContent, "Next");
    assertEquals(asked(), ["?limit=25&offset=25 {}"]);
    await follow("Next");
    await result("60 file sets, 51 to 60 shown");
    // There is no page after the last: the focus falls to the result.
    await eventually(() => assert(document.activeElement!.matches("[data-result]")));
    history.replaceState(null, "", "/filesets?limit=25");
    dispatchEvent(new Event("popstate"));
    await result("60 file sets, 1 to 25 shown");
  }));

Deno.test("FileSetSearch: keys held and links elsewhere are the browser's own", () =>
  withSearch("limit=25", async ({ follow, asked }) => {
    for (const key of ["metaKey", "ctrlKey", "altKey", "shiftKey"]) {
      assertEquals(await follow("Next", { [key]: true }), false, key);
      assertEquals(await follow("CSV", { [key]: true }), false, key);
    }
    assertEquals(await follow("Next", { button: 1 }), false);
    assertEquals(asked(), []);
  }));

Deno.test("FileSetSearch: sorts by a header, with Shift by one more", () =>
  withSearch("limit=25", async ({ page, follow, result }) => {
    await follow("Files");
    await result("60 file sets, by files, ascending, 1 to 25 shown");
    assertEquals(location.search, "?sort=fileCount&limit=25");
    await follow("Owner", { shiftKey: true });
    await eventually(() => assertEquals(location.search, "?sort=fileCount&sort=owner&limit=25"));
    await eventually(() =>
      assertEquals(page.texts("thead .arrow"), ["↑2, sort key 2, ascending", "↑1"])
    );
  }));

Deno.test("FileSetSearch: a query is searched; its error is told where it is, and nothing is lost", () =>
  withSearch("limit=25", async ({ page, result, search, asked }) => {
    await search("owner:Finance");
    await result("12 of 60 file sets, owner is Finance, 1 to 12 shown");
    assertEquals(location.search, "?limit=25&q=owner:Finance");
    const before = asked().length;
    await search("owner:");
    await eventually(() =>
      Promise.resolve(
        assertEquals(page.texts("[role=alert] li"), ["Query, character 7: A value is missing"]),
      )
    );
    const input = page.find<HTMLInputElement>("#q");
    assertEquals([input.value, document.activeElement!.id], ["owner:", "q"]);
    // Loading the page again shows what was typed.
    assertEquals(location.pathname, "/filesets");
    assertEquals(new URLSearchParams(location.search).get("q"), "owner:");
    assertEquals(page.texts("[role=alert] h2, [role=alert] > p:first-of-type"), [
      "This search is not valid",
      "Please fix:",
    ]);
    assertEquals(page.texts("[role=alert] a"), ["Back to the earlier search", "Start over"]);
    assertEquals(page.texts("form > b"), ["Not searched yet. This is the earlier search:"]);
    await result("12 of 60 file sets, owner is Finance, 1 to 12 shown");
    assertEquals([input.selectionStart, input.selectionEnd], [6, 6]);
    assertEquals(asked().length, before);
    await search("owner:nobody");
    await eventually(() =>
      assertEquals(page.texts(".empty p"), [
        "No file sets match. Remove a condition, or show all file sets. The whole value of owner " +
        "has to match, in the same case. For a part, in any case, write owner:~ and the text.",
      ])
    );
    assertEquals(page.texts("table"), []);
  }));

Deno.test("FileSetSearch: after another mistake, no link leaves out the condition of the first", () =>
  withSearch("limit=25", async ({ page, search }) => {
    const links = () => page.texts("[role=alert] a");
    assertEquals(links(), ["Search without it", "Start over"]);
    await search("owner:");
    await eventually(() =>
      assertEquals(page.texts("[role=alert] li"), ["Query, character 7: A value is missing"])
    );
    // To search for it once more would not help.
    assertEquals(links(), ["Start over"]);
  }, {
    page: null,
    error: invalidSearch([{ parameter: "“colour is red”", detail: "is unknown" }]),
    usable: { href: "/filesets", text: "Search without it" },
  }));

Deno.test("FileSetSearch: an error of the service is told, and both ways on ask again", () =>
  withSearch("limit=25", async ({ page, faults, follow, search, result }) => {
    faults.push({ kind: "status", status: 500 });
    await follow("Next");
    await eventually(() => assertEquals(page.texts("[role=alert] h2"), ["The service failed"]));
    assertEquals(page.texts("tbody tr"), []);
    await follow("Try again");
    await result("60 file sets, 26 to 50 shown");
    assertEquals(page.texts("[role=alert]"), []);
    // The page, and how many there are in all.
    faults.push({ kind: "status", status: 500 }, { kind: "status", status: 500 });
    await search("owner:Legal");
    await eventually(() => assertEquals(page.texts("[role=alert]").length, 1));
    await search("owner:Legal");
    await result("48 of 60 file sets, owner is Legal, 1 to 25 shown");
  }));

Deno.test("FileSetSearch: who is no longer signed in is offered that alone", () =>
  withSearch("limit=25", async ({ page, faults, follow }) => {
    faults.push({ kind: "status", status: 401 });
    await follow("Next");
    await eventually(() => assertEquals(page.texts("[role=alert] a"), ["Sign in again"]));
  }));

Deno.test("FileSetSearch: searches again by itself after the pause that the service asks for", () =>
  withSearch("limit=25", async ({ page, faults, follow, result }) => {
    const timers = holdTimers(7000);
    try {
      faults.push({ kind: "status", status: 429, retryAfter: "7" });
      await follow("Next");
      await eventually(() => assertEquals(page.texts("[role=alert]").length, 1));
      await eventually(() => assertEquals(timers.pass(), 1));
      await result("60 file sets, 26 to 50 shown");
    } finally {
      timers.release();
    }
  }));

Deno.test("FileSetSearch: a row opens beside the table; its links lead on, Escape back to the row", () =>
  withSearch("limit=25", async ({ page, follow, asked }) => {
    const opened = (name: string) =>
      eventually(() => assertEquals(page.texts("#opened-heading"), [name]));
    await follow("Set 3");
    await opened("Set 3");
    assert(page.texts(".aside button").includes("Copy id"));
    assertEquals(new URLSearchParams(location.search).get("open"), FILE_SETS[3].id);
    await eventually(() => assertEquals(document.activeElement!.id, "opened-heading"));
    // The first rows were markup alone; the next ones are there.
    assertEquals(asked().length, 1);
    const { length } = history;
    await follow("Next j");
    await opened("Set 4");
    assertEquals([asked().length, history.length], [1, length]);
    await page.press("Escape", { on: page.find("#q") });
    assertEquals(page.texts("#opened-heading"), ["Set 4"]);
    // This Escape only cancels what an input method composes.
    await page.press("Escape", { on: document.body, isComposing: true });
    assertEquals(location.search.includes("open="), true);
    await page.press("Escape", { on: document.body });
    await eventually(() => assertEquals(page.texts("#opened-heading"), []));
    await eventually(() => assertEquals(document.activeElement!.textContent, "Set 4"));
    assertEquals(location.search, "?limit=25");
  }));

Deno.test("FileSetSearch: the focus goes into an editor that opens, and back when it is cancelled", () =>
  withSearch("limit=25", async ({ follow, search, result }) => {
    const focused = (name: string) =>
      eventually(() => assertEquals(document.activeElement!.textContent, name));
    await search("owner:Finance");
    await result("12 of 60 file sets, owner is Finance, 1 to 12 shown");
    await follow("+ Add filter");
    await focused("Name");
    await follow("Description");
    await eventually(() => assertEquals(document.activeElement!.id, "new-operator"));
    await follow("Cancel");
    await focused("+ Add filter");
    await follow("owner is Finance");
    await eventually(() => assertEquals(document.activeElement!.id, "new-operator"));
    await follow("Negate");
    await result("48 of 60 file sets, owner is not Finance, 1 to 25 shown");
    await eventually(() => assert(document.activeElement!.matches("[data-result]")));
  }));

Deno.test("FileSetSearch: a click in a cell filters by its value, with Alt by all others", () =>
  withSearch("limit=25", async ({ page, result }) => {
    const cell = (label: string) => page.find(`tbody tr:first-child [data-label="${label}"]`);
    const click = async (label: string, options: MouseEventInit = {}) => {
      cell(label).dispatchEvent(
        new MouseEvent("click", { bubbles: true, cancelable: true, ...options }),
      );
      await page.settled();
    };
    await click("Owner", { button: 2 });
    assertEquals(location.search, "?limit=25");
    await click("Owner", { altKey: true });
    await result("48 of 60 file sets, owner is not Finance, 1 to 25 shown");
    await click("Owner");
    await result("48 of 60 file sets, owner is not Finance, owner is Legal, 1 to 25 shown");
    await click("Files");
    await result(
      "1 of 60 file sets, owner is not Finance, owner is Legal, files is 1,012, 1 shown",
    );
    // Few share a time.
    await click("Updated");
    assertEquals(location.search.includes("date"), false);
  }));

Deno.test("FileSetSearch: says that it searches, and drops an answer that comes too late", () =>
  withSearch("limit=25", async ({ page, faults, follow, result, search }) => {
    faults.push({ kind: "stall", at: "headers" });
    await follow("Next");
    await result("Searching…");
    // The conditions are those of the new view at once.
    await eventually(() => assert(!page.texts("p").includes("server's conditions")));
    assert(page.find("main > div").matches(".busy"));
    await search("owner:Finance");
    await result("12 of 60 file sets, owner is Finance, 1 to 12 shown");
    assertEquals(page.find("main > div").className, "");
  }));

Deno.test("FileSetSearch: exports what is shown, and copies it as code", () =>
  withSearch("q=owner:Finance", async ({ page, follow }) => {
    assertEquals(page.texts("summary"), ["Columns…", "Copy as…"]);
    await follow("CSV");
    await eventually(() => assertEquals(page.saved.length, 1));
    assertEquals((await page.saved[0].blob.text()).trim().split("\r\n").length, 13);
    assert(
      /^Saved all 12 rows to file-sets-.*\.csv\.$/.test(page.texts(".export [role=status]")[0]),
    );
    assertEquals(page.texts(".copy-as p"), ["server's code"]);
    page.find(".copy-as").dispatchEvent(new Event("toggle"));
    await eventually(() => assert(page.texts(".copy-as h2").length === 3));
    assert(page.texts(".copy-as pre")[2].includes("Finance"));
  }));
