import { assert, assertEquals } from "@std/assert";
import { quotePart } from "../../lib/search/query_parts.ts";
import { FileSetSearch } from "../../islands/FileSetSearch.tsx";
import { loadLateFacets } from "../../components/file_sets/search/search_clicks.ts";
import { Shortcuts } from "../../islands/Shortcuts.tsx";
import { type BrowserPage, withBrowserPage } from "../components/browser_page.ts";
import { sessionCookie, withApp } from "../app.ts";
import { eventually } from "../eventually.ts";
import { holdTimers } from "../hold_timers.ts";

const ORIGIN = "https://docket.example";

/** What a test of the search works with. */
interface Search {
  readonly page: BrowserPage;
  /** The addresses that were loaded, without those of facets. */
  readonly asked: string[];
  /** Answers the next load with this instead of the page. */
  answer(answer: { readonly status: number; readonly html?: string }): void;
  /** Holds the next answer until the returned function is called. */
  hold(): () => void;
  /** Waits until this is the result that is told. */
  result(text: string): Promise<void>;
  /** Clicks on the link with that text, with keys held; whether it was followed in place. */
  follow(name: string, options?: MouseEventInit): Promise<boolean>;
  /** Sends the query. */
  search(query: string): Promise<void>;
}

/** Shows the search of a link as the app renders it, which also answers what the island loads. */
function withSearch(query: string, test: (search: Search) => Promise<void>): Promise<void> {
  return withApp({ PUBLIC_ORIGIN: ORIGIN }, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const asked: string[] = [];
    const answers: { readonly status: number; readonly html?: string }[] = [];
    let held: Promise<void> | undefined;

    /** Loads a page as browsers do, which follow redirects. */
    async function load(address: string) {
      let url = new URL(address, ORIGIN);
      for (;;) {
        const response = await app.fetch(new Request(url, { headers: { cookie } }));
        const location = response.headers.get("location");
        if (!location) return { url, status: response.status, html: await response.text() };
        await response.body?.cancel();
        url = new URL(location, url);
      }
    }

    class Load {
      responseType = "";
      onloadend = () => {};
      #address = "";
      #isOver = false;
      status = 0;
      responseURL = "";
      responseXML: Document | null = null;
      open = (_method: string, address: string) => void (this.#address = address);
      abort = () => {
        this.#isOver = true;
        this.onloadend();
      };
      getResponseHeader = () => null;
      async send() {
        const isFacets = this.#address.startsWith("/filesets/facets");
        if (!isFacets) asked.push(this.#address);
        const wait = isFacets ? undefined : held;
        if (!isFacets) held = undefined;
        const given = isFacets ? undefined : answers.shift();
        const { url, status, html } = given
          ? { html: "", ...given, url: new URL(this.#address, ORIGIN) }
          : await load(this.#address);
        await wait;
        if (this.#isOver) return;
        this.status = status;
        this.responseURL = url.href;
        this.responseXML = new DOMParser().parseFromString(html, "text/html");
        this.onloadend();
      }
    }

    const { html } = await load(`/filesets?${query}`);
    const { XMLHttpRequest } = globalThis;
    globalThis.XMLHttpRequest = Load as never;
    try {
      await withBrowserPage("", async (page) => {
        history.replaceState(null, "", `/filesets?${query}`);
        const served = new DOMParser().parseFromString(html, "text/html");
        const main = served.querySelector("main")!;
        document.querySelector("main")!.outerHTML = `<main></main>${main.outerHTML}`;
        document.querySelectorAll("main")[1].id = "served";
        await page.draw(
          <>
            <FileSetSearch zone="UTC" />
            <Shortcuts />
          </>,
        );
        await test({
          page,
          asked,
          answer: (given) => void answers.push(given),
          hold() {
            const { promise, resolve } = Promise.withResolvers<void>();
            held = promise;
            return resolve;
          },
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
            const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...options });
            link.focus();
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
      globalThis.XMLHttpRequest = XMLHttpRequest;
    }
  });
}

const rows = (page: BrowserPage) => page.texts("tbody th");
const focusOn = (text: string) =>
  eventually(() => assertEquals(document.activeElement!.textContent, text));

Deno.test("FileSetSearch: leaves modified clicks and other links to the browser", () =>
  withSearch("limit=25", async ({ follow, asked }) => {
    for (const key of ["metaKey", "ctrlKey", "altKey", "shiftKey"]) {
      assertEquals(await follow("Next", { [key]: true }), false, key);
      assertEquals(await follow("CSV", { [key]: true }), false, key);
    }
    assertEquals(await follow("Next", { button: 1 }), false);
    assertEquals(asked, []);
  }));

Deno.test("FileSetSearch: runs a query; an error selects its place and keeps what was typed", () =>
  withSearch("limit=25", async ({ page, result, search, follow }) => {
    await search("owner:Finance");
    await result("372 of 5,000 file sets, owner is Finance, 1 to 25 shown");
    assertEquals(location.search, "?q=owner:Finance&limit=25");
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
  withSearch("limit=25", async ({ page, hold, follow, search, result, asked }) => {
    const release = hold();
    await search("owner:Finance");
    await result("Searching…");
    assert(page.find("#search-found").hasAttribute("aria-busy"));
    const input = page.find<HTMLInputElement>("#q");
    input.focus();
    input.value = "owner:Finance audit";
    input.setSelectionRange(3, 5);
    release();
    await result("372 of 5,000 file sets, owner is Finance, 1 to 25 shown");
    assertEquals(page.find("#q"), input);
    assertEquals([input.value, input.selectionStart], ["owner:Finance audit", 3]);
    assertEquals(document.activeElement, input);
    assert(!page.find("#search-found").hasAttribute("aria-busy"));
    assertEquals(asked.length, 1);
    // A link leaves it as well.
    await follow("Name");
    await result("372 of 5,000 file sets, owner is Finance, by name, ascending, 1 to 25 shown");
    assertEquals(page.find<HTMLInputElement>("#q").value, "owner:Finance audit");
  }));

Deno.test("FileSetSearch: searches again after the pause that the service asks for", async () => {
  const timers = holdTimers(7000);
  try {
    await withSearch("limit=25", async ({ page, answer, follow, result }) => {
      const parts = ["search-result", "search-tools", "search-found"]
        .map((id) => `<div id="${id}"></div>`).join("");
      const alert = '<p role="alert" data-retry-after="7">busy</p>';
      answer({ status: 429, html: `<div id="search-form">${alert}</div>${parts}` });
      await follow("Next");
      await eventually(() => assertEquals(page.texts("[role=alert]"), ["busy"]));
      assertEquals(timers.pass(), 1);
      await result("5,000 file sets, 26 to 50 shown");
      assertEquals(page.texts("[role=alert]"), []);
    });
  } finally {
    timers.release();
  }
});

Deno.test("FileSetSearch: opens a row beside the table; Escape returns to the row", () =>
  withSearch("limit=25", async ({ page, follow }) => {
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
    // A step while another one loads goes on from there.
    await Promise.all([follow("Next j"), follow("Next j")]);
    await opened(names[6]);
    await Promise.all([follow("Previous k"), follow("Previous k")]);
    await opened(names[4]);
    await page.press("Escape", { on: page.find("#q") });
    // This Escape only cancels what an input method composes.
    await page.press("Escape", { on: document.body, isComposing: true });
    assertEquals(page.texts("#opened-heading"), [names[4]]);
    await page.press("Escape", { on: document.body });
    await eventually(() => assertEquals(page.texts("#opened-heading"), []));
    await focusOn(names[4]);
    assertEquals(location.search, "?limit=25");
  }));

Deno.test("FileSetSearch: a click on a cell keeps its value, with Alt excludes it", () =>
  withSearch("limit=25", async ({ page }) => {
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
    assertEquals(location.search, "?limit=25");
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
  withSearch("limit=25", async ({ page }) => {
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
