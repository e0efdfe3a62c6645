import { assert, assertEquals } from "@std/assert";
import { SavedViewList } from "../../../../components/page/views/saved_view_list.tsx";
import { readSavedViews, writeSavedViews } from "../../../../components/page/views/saved_views.ts";
import { type BrowserPage, withBrowserPage } from "../../browser_page.ts";

const VIEWS = [
  { name: "Payroll", href: "/filesets?q=payroll" },
  { name: "Failures", href: "/schedules/102?filter=status:EQUALS:failure" },
  { name: "Legal", href: "/filesets?q=owner:Legal" },
];

function withViews(
  test: (page: BrowserPage) => Promise<void> | void,
  views = VIEWS,
): Promise<void> {
  return withBrowserPage("", async (page) => {
    writeSavedViews(views, null);
    await page.draw(<SavedViewList />);
    await test(page);
  });
}

async function save(page: BrowserPage, name: string): Promise<void> {
  page.find<HTMLInputElement>("#view-name").value = name;
  page.find("#view-name").closest("form")!.requestSubmit();
  await page.settled();
}

const kept = () => readSavedViews(localStorage).map(({ name }) => name);
const said = (page: BrowserPage) => page.texts("p[role=status], [role=alert]");

Deno.test("SavedViewList: without views, says where they are stored", () =>
  withViews((page) => {
    assertEquals(page.texts("p.help")[0], "No saved views yet. They are stored in this browser.");
  }, []));

Deno.test("SavedViewList: saves the page under the trimmed name, and undoes that", () =>
  withViews(async (page) => {
    assertEquals(document.activeElement, document.body);
    await save(page, "  ");
    assertEquals(said(page), [""]);
    await save(page, " Mine ");
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

Deno.test("SavedViewList: says that the browser's storage is full, and leaves the list unchanged", () =>
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

Deno.test("SavedViewList: deletes a view, and focuses Undo", () =>
  withViews(async (page) => {
    await page.click("Delete Failures");
    assertEquals([kept(), said(page)], [["Payroll", "Legal"], ["Deleted “Failures”. Undo"]]);
    assertEquals(document.activeElement!.textContent, "Undo");
    await page.click("Undo");
    assertEquals(kept(), ["Payroll", "Failures", "Legal"]);
  }));

Deno.test("SavedViewList: renames a view in place, unless another view has the name", () =>
  withViews(async (page) => {
    const rename = async (name: string) => {
      page.find<HTMLInputElement>("li input").value = name;
      page.find<HTMLFormElement>("li form").requestSubmit();
      await page.settled();
    };
    await page.click("Rename Failures");
    assertEquals(document.activeElement!.getAttribute("aria-label"), "New name of Failures");
    await rename("Legal");
    assertEquals(page.texts("[role=alert]"), ["Another view is named “Legal”."]);
    await rename(" Late ");
    assertEquals([kept(), said(page)], [
      ["Payroll", "Late", "Legal"],
      ["Renamed to “Late”. Undo"],
    ]);
    assertEquals(document.activeElement!.textContent, "Undo");
    await page.click("Undo");
    await page.click("Rename Failures");
    await page.click("Cancel");
    assertEquals([kept(), said(page)], [["Payroll", "Failures", "Legal"], ["Not renamed."]]);
  }));

Deno.test("SavedViewList: a default view stays the default until it is deleted or unset", () =>
  withViews(async (page) => {
    const preferred = () => /docket_view=([^;]*)/.exec(document.cookie)?.[1];
    const pressed = () => page.texts("[aria-pressed=true]");
    assertEquals(page.texts("[aria-pressed]"), ["Default Payroll", "Default Legal"]);
    await page.click("Default Legal");
    assertEquals(said(page), ["File sets opens with “Legal”. Undo"]);
    assertEquals([pressed(), preferred()], [
      ["Default Legal"],
      encodeURIComponent("/filesets?q=owner:Legal"),
    ]);
    await page.click("Default Legal");
    assertEquals(said(page), ["File sets opens with all file sets. Undo"]);
    assertEquals([pressed(), preferred()], [[], undefined]);
    await page.click("Undo");
    await page.click("Delete Legal");
    assertEquals([pressed(), preferred()], [[], undefined]);
    await page.click("Undo");
    assertEquals(pressed(), ["Default Legal"]);
    await save(page, "Legal");
    assertEquals(preferred(), encodeURIComponent("/filesets?q=payroll"));
    await page.click("Undo");
    assertEquals(preferred(), encodeURIComponent("/filesets?q=owner:Legal"));
  }));
