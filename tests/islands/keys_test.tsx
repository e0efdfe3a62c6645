import { assert, assertEquals } from "@std/assert";
import { RememberZone } from "../../islands/RememberZone.tsx";
import { Shortcuts } from "../../islands/Shortcuts.tsx";
import { type BrowserPage, withBrowserPage } from "../components/browser_page.ts";
import { eventually } from "../eventually.ts";

const PAGE = '<input data-go id="go" value="102"><input id="q">' +
  '<dialog id="shortcut-help"></dialog>';

/** A page that listens for keys; its islands run when `start` is called. */
async function withEarlyKeys(
  test: (page: BrowserPage, start: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await withBrowserPage("", async (page) => {
    document.body.insertAdjacentHTML("beforeend", PAGE);
    await import(`../../public/keys.js?${crypto.randomUUID()}`);
    await test(page, () => page.draw(<Shortcuts />));
  });
}

const withKeys = (test: (page: BrowserPage) => Promise<void>) =>
  withEarlyKeys(async (page, start) => {
    await start();
    await test(page);
  });

const open = () => document.querySelector("dialog[open]");
const opened = () => eventually(() => assert(open()));

Deno.test("Shortcuts: focus Go to, from anywhere", () =>
  withKeys(async (page) => {
    for (const options of [{ ctrlKey: true }, { metaKey: true }]) {
      page.find("#q").focus();
      await page.press("k", { on: page.find("#q"), ...options });
      assertEquals(document.activeElement!.id, "go");
    }
  }));

Deno.test("Shortcuts: Escape closes an open menu and focuses it, also if shortcuts are off", () =>
  withBrowserPage("", async (page) => {
    await page.draw(<Shortcuts />);
    document.body.insertAdjacentHTML(
      "beforeend",
      '<details class="menu" open><summary tabindex="0">Export, columns</summary><b>code</b></details>',
    );
    const menu = page.find<HTMLDetailsElement>("details");
    let later = 0;
    const count = (event: Event) => later += Number(event.defaultPrevented);
    addEventListener("keydown", count);
    await page.press("a", { on: menu });
    await page.press("Escape", { on: page.find("b"), isComposing: true });
    assertEquals([menu.open, later], [true, 0]);
    await page.press("Escape", { on: page.find("summary") });
    // What a search closes by the same key stays.
    assertEquals([menu.open, later], [false, 1]);
    assertEquals(document.activeElement!.textContent, "Export, columns");
    await page.press("Escape", { on: document.body });
    assertEquals(later, 1);
    removeEventListener("keydown", count);
  }));

Deno.test("Shortcuts: letters are shortcuts only outside of fields, without modifier keys", () =>
  withKeys(async (page) => {
    await page.press("k", { on: document.body, ctrlKey: true, altKey: true });
    await page.press("?", { on: page.find("#q") });
    for (const key of ["ctrlKey", "metaKey", "altKey"]) {
      await page.press("?", { on: document.body, [key]: true });
    }
    await page.press("x", { on: document.body });
    assertEquals(open(), null);
    await page.press("?", { on: document.body });
    await opened();
    assertEquals(open()!.id, "shortcut-help");
  }));

Deno.test("Shortcuts: none pressed before the page is interactive is lost", () =>
  withEarlyKeys(async (page, start) => {
    await page.press("?", { on: document.body });
    await page.press("k", { on: document.body, ctrlKey: true });
    assertEquals([open(), document.activeElement!.id], [null, "go"]);
    await start();
    await opened();
  }));

Deno.test("RememberZone: tells the server the browser's zone by a cookie", () =>
  withBrowserPage("", async (page) => {
    await page.draw(<RememberZone />);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    assertEquals(document.cookie, `docket_zone=${encodeURIComponent(timeZone)}`);
  }));
