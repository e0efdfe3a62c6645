import { assertEquals } from "@std/assert";
import { runShortcut } from "../../../components/page/shortcuts.ts";
import { type BrowserPage, withBrowserPage } from "../browser_page.ts";

const row = (name: string) =>
  `<tr><th><a href="#${name}">${name}</a></th><td><a>other</a></td></tr>`;
const table = (name: string, ...rows: string[]) =>
  `<div class="scroll" data-table="${name}"><table><tbody>${
    rows.map(row).join("")
  }</tbody></table></div>`;
const NEXT = '<a href="#next" data-page="Next">Next</a>';

/** Runs a test on a page whose tables are all unfolded, but for those named. */
function onPage(
  html: string,
  test: (press: (keys: string) => string[], page: BrowserPage) => void,
  folded: readonly string[] = [],
): Promise<void> {
  return withBrowserPage(html, (page) => {
    for (const table of document.querySelectorAll("table")) {
      table.checkVisibility = () => !folded.includes(table.parentElement!.dataset.table!);
    }
    const clicked: string[] = [];
    document.addEventListener("click", (event) => {
      clicked.push((event.target as Element).textContent!);
      event.preventDefault();
    });
    test((keys) =>
      keys.split("").map((key) => {
        clicked.length = 0;
        runShortcut(key);
        return clicked.length > 0 ? `clicked ${clicked}` : document.activeElement!.textContent!;
      }), page);
  });
}

Deno.test("runShortcut: j and k move through the rows, and on to the next page", async () => {
  await onPage(table("a", "one", "two", "three"), (press) => {
    assertEquals(press("jjjj"), ["one", "two", "three", "three"]);
    assertEquals(press("kkk"), ["two", "one", "one"]);
  });
  await onPage(table("a", "one", "two") + NEXT, (press, page) => {
    assertEquals(press("k"), ["two"]);
    const other = page.find("td a");
    other.tabIndex = 0;
    other.focus();
    assertEquals(press("jj"), ["two", "clicked Next"]);
  });
});

Deno.test("runShortcut: stays on the page of two tables, of loading rows, or of none", async () => {
  const loading = `<div aria-busy="true">${table("a", "one")}</div>`;
  for (const tables of [table("a", "one") + table("b", "two"), loading]) {
    await onPage(tables + NEXT, (press) => assertEquals(press("jj"), ["one", "one"]));
  }
  const hidden = table("a", "one") + table("b", "two");
  await onPage(hidden, (press) => assertEquals(press("j"), ["two"]), ["a"]);
  await onPage(table("a"), (press) => {
    assertEquals(press("jk").map((text) => text.trim()), ["", ""]);
  });
});

Deno.test("runShortcut: with an open row, follows the links of the drawer; ? shows the help", () =>
  onPage(
    table("a", "one") + '<div class="drawer"><a rel="prev">Back</a><a rel="next">On</a></div>' +
      '<dialog id="shortcut-help"></dialog>',
    (press, page) => {
      assertEquals(press("jk"), ["clicked On", "clicked Back"]);
      press("?x");
      assertEquals(page.find<HTMLDialogElement>("dialog").open, true);
    },
  ));
