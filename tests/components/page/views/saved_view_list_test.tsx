import { assert, assertEquals } from "@std/assert";
import { SavedViewList } from "../../../../components/page/views/saved_view_list.tsx";
import { readSavedViews, writeSavedViews } from "../../../../components/page/views/saved_views.ts";
import { parseViewFile } from "../../../../components/page/views/view_file.ts";
import { type BrowserPage, withBrowserPage } from "../../browser_page.ts";

const VIEWS = [
  { name: "Payroll", href: "/filesets?q=payroll" },
  { name: "Failures", href: "/schedules/102?filter=status:EQUALS:failure" },
  { name: "Legal", href: "/filesets?q=owner:Legal" },
];

/** Shows the list with these views; unless said otherwise, with what manages them. */
function withViews(
  test: (page: BrowserPage) => Promise<void> | void,
  { views = VIEWS, isManaged = true } = {},
): Promise<void> {
  return withBrowserPage("", async (page) => {
    writeSavedViews(localStorage, views);
    await page.draw(
      <details open>
        <summary>Saved views</summary>
        <SavedViewList />
      </details>,
    );
    if (isManaged) await page.click("Manage");
    await test(page);
  });
}

const kept = () => readSavedViews(localStorage).map(({ name }) => name);
const said = (page: BrowserPage) => page.texts("p[role=status], [role=alert]");
const focused = () =>
  document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent;

Deno.test("SavedViewList: says that there are none, and where they are kept", () =>
  withViews((page) => {
    assertEquals(page.texts("p.help")[0], "No saved views yet. They are stored in this browser.");
  }, { views: [] }));

Deno.test("SavedViewList: tools are there only while views are managed", () =>
  withViews(async (page) => {
    assertEquals(page.texts("li a"), ["Payroll", "Failures", "Legal"]);
    assertEquals(page.find('[aria-pressed="true"]').textContent, "Manage");
    assertEquals(document.querySelectorAll("[role=group]").length, 3);
    assertEquals(page.texts("li:first-child button"), [
      ...["↑", "↓", "Rename Payroll", "Default", "Copy link", "Delete Payroll"],
    ]);
    assertEquals(page.texts("label:has([type=file])"), ["Import a file"]);
    assertEquals(document.activeElement, document.body);
    assert(page.find("ol").matches(".managed"));
    await page.click("Manage");
    assertEquals(document.querySelectorAll("[role=group], .managed").length, 0);
    assertEquals(page.texts("li"), ["Payroll", "Failures", "Legal"]);
    assertEquals(page.texts("label"), ["Save current view as"]);
    assertEquals(page.texts("a").at(-1), "All file sets");
  }));

Deno.test("SavedViewList: saves the page's view by its trimmed name, which can be undone", () =>
  withViews(async (page) => {
    const save = async (name: string) => {
      page.find<HTMLInputElement>("#view-name").value = name;
      page.find("#view-name").closest("form")!.requestSubmit();
      await page.settled();
    };
    await save("  ");
    assertEquals(said(page), [""]);
    await save(" Mine ");
    assertEquals(said(page), ["Saved “Mine”. Undo"]);
    assertEquals(readSavedViews(localStorage).at(-1), {
      name: "Mine",
      href: "/filesets?q=payroll",
    });
    assertEquals(page.find<HTMLInputElement>("#view-name").value, "");
    await page.click("Undo");
    assertEquals([said(page), kept()], [["Undone."], ["Payroll", "Failures", "Legal"]]);
    assertEquals(document.activeElement!.id, "view-name");
  }));

Deno.test("SavedViewList: not more views than are kept, and the rest stays", () =>
  withViews(async (page) => {
    page.find<HTMLInputElement>("#view-name").value = "One more";
    page.find("#view-name").closest("form")!.requestSubmit();
    await page.settled();
    assertEquals(page.texts("[role=alert]"), ["You can save at most 500 views."]);
    assertEquals(kept().length, 500);
  }, {
    views: Array.from({ length: 500 }, (_, at) => ({ name: `View ${at}`, href: "/filesets?q=a" })),
    isManaged: false,
  }));

Deno.test("SavedViewList: a full browser is told, and the list is as it was", () =>
  withViews(async (page) => {
    const full = () => {
      throw new Error("full");
    };
    Object.defineProperty(globalThis, "localStorage", { value: { setItem: full } });
    await page.click("Delete Legal");
    assertEquals(page.texts("[role=alert]"), ["Your browser has no space for more views."]);
    assert(page.find("[role=alert]").matches(".notice.bad"));
    assertEquals(page.texts("li a"), ["Payroll", "Failures", "Legal"]);
  }));

Deno.test("SavedViewList: moved by buttons and keys, not beyond the ends; the focus goes along", () =>
  withViews(async (page) => {
    await page.click("Move down: Payroll");
    assertEquals(kept(), ["Failures", "Payroll", "Legal"]);
    assertEquals(said(page), ["“Payroll” is now number 2 of 3."]);
    assertEquals(focused(), "Move down: Payroll");
    await page.press("ArrowUp", { altKey: true });
    assertEquals([kept()[0], focused()], ["Payroll", "Move up: Payroll"]);
    await page.press("ArrowUp", { altKey: true });
    await page.press("ArrowDown");
    assertEquals(kept(), ["Payroll", "Failures", "Legal"]);
    await page.press("ArrowDown", { altKey: true });
    assertEquals(kept(), ["Failures", "Payroll", "Legal"]);
    const [up, down] = document.querySelectorAll("[data-move]");
    assertEquals([up, down].map((each) => each.getAttribute("aria-keyshortcuts")), [
      "Alt+ArrowUp",
      "Alt+ArrowDown",
    ]);
    assertEquals([up, down].map((each) => each.getAttribute("title")), [
      "Move up (Alt+↑)",
      "Move down (Alt+↓)",
    ]);
  }));

Deno.test("SavedViewList: renamed in place, refused where the name is taken, given up by Escape", () =>
  withViews(async (page) => {
    await page.click("Rename Payroll");
    const input = page.find<HTMLInputElement>("li input");
    assertEquals([input.value, input.getAttribute("aria-label")], [
      "Payroll",
      "New name of Payroll",
    ]);
    const submit = async (name: string) => {
      page.find<HTMLInputElement>("li input").value = name;
      page.find<HTMLFormElement>("li form").requestSubmit();
      await page.settled();
    };
    await submit("Legal");
    assertEquals(page.texts("[role=alert]"), ["There is another view named “Legal”."]);
    await submit(" ");
    assert(document.querySelector("li form"));
    await page.press("Escape", { on: page.find("li input") });
    assertEquals(document.querySelector("li form"), null);
    assertEquals(focused(), "Rename Payroll");
    assert(page.find<HTMLDetailsElement>("details").open, "Escape closed the name alone");
    await page.click("Rename Payroll");
    await page.click("Cancel");
    assertEquals(kept()[0], "Payroll");
    await page.click("Rename Payroll");
    await submit("Wages");
    assertEquals([kept()[0], said(page)], ["Wages", ["Renamed to “Wages”. Undo"]]);
    assertEquals(focused(), "Rename Wages");
  }));

Deno.test("SavedViewList: deleted, with the focus on what takes it back", () =>
  withViews(async (page) => {
    await page.click("Delete Failures");
    assertEquals([kept(), said(page)], [["Payroll", "Legal"], ["Deleted “Failures”. Undo"]]);
    assertEquals(focused(), "Undo");
    await page.click("Undo");
    assertEquals(kept(), ["Payroll", "Failures", "Legal"]);
  }));

Deno.test("SavedViewList: one view of file sets is the default, in the server's cookie too", () =>
  withViews(async (page) => {
    assertEquals(document.querySelectorAll('[aria-label^="Default"]').length, 2);
    await page.click("Default: Legal");
    assertEquals(said(page), ["File sets now opens with “Legal”. Undo"]);
    assertEquals(page.texts("li .help:not([role])"), ["default"]);
    assertEquals(page.find('[aria-label="Default: Legal"]').getAttribute("aria-pressed"), "true");
    assertEquals(
      page.find('[aria-label="Default: Payroll"]').getAttribute("aria-pressed"),
      "false",
    );
    assert(document.cookie.includes("owner"), document.cookie);
    await page.click("Default: Legal");
    assertEquals(said(page), ["There is no default view: File sets shows all file sets. Undo"]);
    assertEquals(readSavedViews(localStorage).some(({ isDefault }) => isDefault), false);
  }));

Deno.test("ViewFiles: reads a file, says what it brought, and why one was not read", () =>
  withViews(async (page) => {
    const read = async (views: unknown, size?: number) => {
      const file = new File([JSON.stringify(views)], "views.json");
      if (size) Object.defineProperty(file, "size", { value: size });
      const input = page.find<HTMLInputElement>("[type=file]");
      Object.defineProperty(input, "files", { value: [file], configurable: true });
      input.dispatchEvent(new Event("change", { bubbles: true }));
      await page.settled();
    };
    const file = (...views: readonly unknown[]) => ({ version: 1, views });
    const [payroll] = VIEWS;
    const wages = { name: "Wages", href: "/filesets?q=wages" };
    await read("x");
    assertEquals(page.texts("[role=alert]"), [
      "views.json was not imported. views: must be a list. Choose a file exported here.",
    ]);
    await read(file(wages), 5_000_001);
    assertEquals(page.texts("[role=alert]"), [
      "views.json was not imported. The file is too large.",
    ]);
    await read(file({ ...payroll, href: "/filesets?q=new" }, wages));
    assertEquals(said(page), ["Imported 1 new view, replaced 1. Undo"]);
    assertEquals(page.texts("li a"), ["Payroll", "Failures", "Legal", "Wages"]);
    assertEquals(readSavedViews(localStorage)[0].href, "/filesets?q=new");
    await page.click("Undo");
    assertEquals(kept().length, 3);
    await read(file(wages));
    assertEquals(said(page), ["Imported 1 new view. Undo"]);
    await read(file(...Array.from({ length: 497 }, (_, at) => ({ ...wages, name: `View ${at}` }))));
    assertEquals(page.texts("[role=alert]"), [
      "views.json was not imported. You can save at most 500 views.",
    ]);
  }));

Deno.test("ViewFiles: the views are saved as a file that can be read again", () =>
  withViews(async (page) => {
    await page.click("Export to a file");
    const [{ name, blob }] = page.saved;
    assertEquals(name, "docket-views.json");
    assertEquals(blob.type, "application/json");
    assertEquals(parseViewFile(await blob.text()), VIEWS);
  }));
