import { assert, assertEquals } from "@std/assert";
import { quotePart } from "../../lib/search/query_parts.ts";
import { FileSetSearch } from "../../islands/FileSetSearch.tsx";
import { loadLateFacets } from "../../components/file_sets/search/search_clicks.ts";
import { Shortcuts } from "../../islands/Shortcuts.tsx";
import type { BrowserPage } from "../components/browser_page.ts";
import { sessionCookie, withApp } from "../app.ts";
import { eventually } from "../eventually.ts";
import { type Answer, type Server, withLoads } from "./loads.ts";

const ORIGIN = "https://docket.example";
/** The search that is shown first. */
const FIRST = "/filesets?limit=8";

/** What a test of the search works with. */
interface Search {
  readonly page: BrowserPage;
  readonly server: Server;
  /** Waits until this is the result that is told. */
  result(text: string): Promise<void>;
  /** Clicks on the link with that text, with keys held; whether it was followed in place. */
  follow(name: string, options?: MouseEventInit): Promise<boolean>;
  /** Sends the query. */
  search(query: string): Promise<void>;
}

/** Shows the search of a link as the app renders it, which also answers what the island loads. */
function withSearch(test: (search: Search) => Promise<void>): Promise<void> {
  return withApp({ PUBLIC_ORIGIN: ORIGIN }, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);

    /** Loads a page as browsers do, which follow redirects. */
    async function load(address: string): Promise<Answer> {
      let url = new URL(address, ORIGIN);
      for (;;) {
        const { status, headers, ...response } = await loaded(url);
        const location = headers.get("location");
        if (!location) return { ...response, status, responseURL: url.href };
        url = new URL(location, url);
      }
    }

    async function loaded(url: URL) {
      const response = await app.fetch(new Request(url, { headers: { cookie } }));
      return { status: response.status, headers: response.headers, html: await response.text() };
    }

    const { html } = await load(FIRST);
    await withLoads(async (page, server) => {
      history.replaceState(null, "", FIRST);
      const served = new DOMParser().parseFromString(html!, "text/html").querySelector("main")!;
      served.id = "served";
      page.find("main").insertAdjacentHTML("afterend", served.outerHTML);
      await page.draw(
        <>
          <FileSetSearch zone="UTC" />
          <Shortcuts />
        </>,
      );
      await test({
        page,
        server,
        result: (text) => eventually(() => assertEquals(page.texts("#search-result")[0], text)),
        async follow(name, options) {
          const nameOf = (link: Element) => link.getAttribute("aria-label") ?? link.textContent!;
          const links = [...document.querySelectorAll<HTMLElement>("#served a")];
          const link = links.find((each) => nameOf(each).trim() === name) ??
            links.find((each) => nameOf(each).trim().startsWith(name));
          if (!link) throw new Error(`There is no link ${name}`);
          let isTaken = false;
          // The page itself is never left.
          const onClick = (event: Event) => {
            isTaken = event.defaultPrevented;
            event.preventDefault();
          };
          addEventListener("click", onClick, { once: true });
          link.focus();
          link.dispatchEvent(
            new MouseEvent("click", { bubbles: true, cancelable: true, ...options }),
          );
          await page.settled();
          return isTaken;
        },
        async search(text) {
          page.find<HTMLInputElement>("#q").value = text;
          page.find("form.search button").click();
          await page.settled();
        },
      });
    }, load);
  });
}

const rows = (page: BrowserPage) => page.texts("tbody th");
const focusOn = (text: string) =>
  eventually(() => assertEquals(document.activeElement!.textContent, text));

Deno.test("FileSetSearch: leaves modified clicks and other links to the browser", () =>
  withSearch(async ({ follow, server: { asked } }) => {
    for (const key of ["metaKey", "ctrlKey", "altKey", "shiftKey"]) {
      assertEquals(await follow("Next", { [key]: true }), false, key);
      assertEquals(await follow("CSV", { [key]: true }), false, key);
    }
    assertEquals(await follow("Next", { button: 1 }), false);
    assertEquals(asked, []);
  }));

Deno.test("FileSetSearch: runs a query; an error selects its place and keeps what was typed", () =>
  withSearch(async ({ page, result, search, follow }) => {
    await search("owner:Finance");
    await result("372 of 5,000 file sets, owner is Finance, 1 to 8 shown");
    assertEquals(location.search, "?q=owner:Finance&limit=8");
    const { length } = history;
    await search("owner:");
    await eventually(() =>
      assertEquals(page.texts("[role=alert] li"), ["Query, character 7: A value is missing"])
    );
    const input = page.find<HTMLInputElement>("#q");
    assertEquals([input.value, document.activeElement!.id], ["owner:", "q"]);
    assertEquals([input.selectionStart, input.selectionEnd], [6, 6]);
    // Loading the page again shows what was typed.
    assertEquals(new URLSearchParams(location.search).get("q"), "owner:");
    assertEquals(history.length, length + 1);
    assertEquals(page.texts("table"), []);
    await search("owner:nobody");
    await eventually(() => assertEquals(page.texts("[role=alert]"), []));
    assertEquals(history.length, length + 1, "what is not valid is no step to go back to");
    await follow("show all file sets");
    await result("5,000 file sets, 1 to 100 shown");
    assertEquals(page.find<HTMLInputElement>("#q").value, "");
  }));

Deno.test("FileSetSearch: keeps what is typed while an answer loads", () =>
  withSearch(async ({ page, server, follow, search, result }) => {
    server.answer({ isHeld: true });
    await search("owner:Finance");
    await result("Searching…");
    assert(page.find("#search-found").hasAttribute("aria-busy"));
    const input = page.find<HTMLInputElement>("#q");
    input.focus();
    input.value = "owner:Finance audit";
    input.setSelectionRange(3, 5);
    server.answer({});
    await server.release();
    await result("372 of 5,000 file sets, owner is Finance, 1 to 8 shown");
    const kept = page.find<HTMLInputElement>("#q");
    assertEquals([kept.value, kept.selectionStart], ["owner:Finance audit", 3]);
    assertEquals(document.activeElement, kept);
    assert(!page.find("#search-found").hasAttribute("aria-busy"));
    assertEquals(server.asked.length, 1);
    // A link leaves it as well.
    await follow("Name");
    await result("372 of 5,000 file sets, owner is Finance, by name, ascending, 1 to 8 shown");
    assertEquals(page.find<HTMLInputElement>("#q").value, "owner:Finance audit");
  }));

Deno.test("FileSetSearch: opens a row beside the table; Escape returns to the row", () =>
  withSearch(async ({ page, follow }) => {
    const names = rows(page);
    const opened = (name: string) =>
      eventually(() => assertEquals(page.texts("#opened-heading"), [name]));
    await follow(names[3]);
    await opened(names[3]);
    assert(new URLSearchParams(location.search).has("open"));
    await eventually(() => assertEquals(document.activeElement!.id, "opened-heading"));
    const { length } = history;
    await follow("Next j");
    await opened(names[4]);
    assertEquals(history.length, length, "a step adds nothing to go back to");
    await page.press("Escape", { on: page.find("#q") });
    // This Escape only cancels what an input method composes.
    await page.press("Escape", { on: document.body, isComposing: true });
    assertEquals(page.texts("#opened-heading"), [names[4]]);
    await page.press("Escape", { on: document.body });
    await eventually(() => assertEquals(page.texts("#opened-heading"), []));
    await focusOn(names[4]);
    assertEquals(location.search, "?limit=8");
  }));

Deno.test("FileSetSearch: a click on a cell keeps its value, with Alt excludes it", () =>
  withSearch(async ({ page }) => {
    const cell = (label: string) => page.find(`tbody tr:first-child [data-label="${label}"]`);
    const click = async (label: string, options: MouseEventInit = {}) => {
      const text = cell(label).textContent!;
      cell(label).dispatchEvent(
        new MouseEvent("click", { bubbles: true, cancelable: true, ...options }),
      );
      await page.settled();
      return text;
    };
    const shown = (query: string) =>
      eventually(() => assertEquals(new URLSearchParams(location.search).get("q"), query));
    await click("Owner", { button: 2 });
    assertEquals(location.search, "?limit=8");
    const other = await click("Owner", { altKey: true });
    await shown(`-owner:${quotePart(other)}`);
    const owner = await click("Owner");
    const both = `-owner:${quotePart(other)} owner:${quotePart(owner)}`;
    await shown(both);
    const files = await click("Files");
    await shown(`${both} files:${files.replaceAll(",", "")}`);
    // Few share a time.
    await click("Updated");
    assertEquals(location.search.includes("updated"), false);
  }));

Deno.test("FileSetSearch: late facets of all matches replace those of the rows", () =>
  withSearch(async ({ page }) => {
    const facets = page.find("#facets");
    const counted = page.texts("#facets li");
    facets.dataset.late = "";
    facets.querySelector("li")!.remove();
    await loadLateFacets(location);
    assertEquals([page.texts("#facets li"), facets.dataset.late], [counted, undefined]);
    facets.querySelector("li")!.remove();
    await loadLateFacets(location);
    assertEquals(page.texts("#facets li").length, counted.length - 1, "only where they are late");
  }));
