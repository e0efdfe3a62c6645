import { assertEquals } from "@std/assert";
import { parseFileSetsView } from "../../../../components/file_sets/file_sets_link.ts";
import { QueryBox } from "../../../../components/file_sets/filters/query_box.tsx";
import { SearchConditions } from "../../../../components/file_sets/filters/search_conditions.tsx";
import { type BrowserPage, withBrowserPage } from "../../browser_page.ts";

/** Draws the form with an editor, by the server's markup first, as it were. */
async function drawEditor(page: BrowserPage, query: string, by = "browser") {
  const dates = { now: 0, zone: "UTC" };
  const { view, query: q } = parseFileSetsView(new URLSearchParams(query), dates);
  await page.draw(
    <QueryBox query={q} editor={`${view.add}/${view.edit}`}>
      <SearchConditions
        key={by}
        {...{ view, facets: null, rows: [], upstream: false }}
        zone="UTC"
      />
    </QueryBox>,
  );
}
const value = (page: BrowserPage) => page.find<HTMLInputElement>("#new-value").value;

Deno.test("QueryBox: what is typed stays, whoever draws the editor, and goes into no other one", () =>
  withBrowserPage("", async (page) => {
    await drawEditor(page, "q=name:a owner:b&edit=name:a", "server");
    assertEquals(page.texts("button"), ["Search", "Apply"]);
    assertEquals(value(page), "a");
    await page.type("#new-value", "typed");
    page.find("#new-value").focus();
    await drawEditor(page, "q=name:a owner:b&edit=name:a");
    assertEquals([value(page), document.activeElement!.id], ["typed", "new-value"]);
    await drawEditor(page, "q=name:a owner:b&edit=owner:b");
    assertEquals(value(page), "b");
  }));

Deno.test("QueryBox: a query that is being typed is not replaced", () =>
  withBrowserPage("", async (page) => {
    const query = () => page.find<HTMLInputElement>("#q").value;
    await drawEditor(page, "q=payroll");
    await drawEditor(page, "q=legal");
    assertEquals(query(), "legal");
    await page.type("#q", "being typed");
    await drawEditor(page, "q=claims");
    assertEquals(query(), "being typed");
    page.find<HTMLFormElement>("form").dispatchEvent(new Event("submit", { bubbles: true }));
    await drawEditor(page, "q=being+typed+-owner:x");
    assertEquals(query(), "being typed -owner:x");
  }));
