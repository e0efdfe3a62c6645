/** Whole journeys, as people make them. */
import { assertEquals, assertMatch } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { goTo, withPage } from "../visit.ts";

Deno.test("[browser] journey: to an exported search in six actions by keys, on a phone", () =>
  withPage({ width: 360 }, async ({ page, token }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto("/");
    let actions = 0;
    const act = async (keys: string, isText = false) => {
      actions += 1;
      await (isText ? page.keyboard.type(keys) : page.keyboard.press(keys));
    };
    await page.locator("input:focus").waitFor();
    await act(token, true);
    await act("Enter");
    await page.waitForURL("/");
    await goTo(page);
    await act("payroll", true);
    await act("Enter");
    await page.locator("a:focus").filter({ hasText: "Search file sets for “payroll”" }).waitFor();
    await act("Enter");
    await page.waitForURL(/\/filesets\?.*payroll/);
    const download = page.waitForEvent("download");
    await page.getByText("Export, columns").click();
    await page.getByRole("link", { name: "CSV" }).focus();
    await act("Enter");
    const file = await Deno.readTextFile(await (await download).path());
    assertEquals(file.trim().split("\n").length, 327);
    await page.getByText(/^Saved all 326 rows/).waitFor();
    assertEquals(actions, 6);
  }));

Deno.test("[e2e] journey: without JavaScript, signed out to an exported search", () =>
  withPlainPage(async ({ page, token }) => {
    await page.open("/filesets?limit=10");
    page.fill("Developer token", token);
    await page.press("Sign in");
    page.fill("Query", "payroll");
    await page.press("Search");
    assertMatch(page.text, /^326 of 5,000 file sets, name contains payroll/m);
    await page.press(/^Remove: name contains payroll/);
    assertMatch(page.text, /^5,000 file sets/m);
    page.fill("Query", "payroll -permission:READ updated:this-year sort:-updated");
    await page.press("Search");
    assertMatch(page.text, /name contains payroll, permission is not READ, updated this year/);
    await page.press("Remove: permission is not READ");
    assertEquals(page.field("Query").value, "payroll updated:this-year");
    page.fill("Field", "Permission");
    await page.press("Add");
    assertMatch(page.shown.getByRole("alert").textContent!, /A value is missing/);
    page.fill("Values or days", "WRITE");
    await page.press("Add");
    await page.press("Remove: permission is WRITE");
    await page.press("Exclude READ");
    assertMatch(page.text, /permission is not READ/);
    await page.press("Do not exclude READ");
    assertEquals(page.url.searchParams.get("sort"), "-updated");
    page.shown.getByRole<HTMLInputElement>("checkbox", { name: "Created" }).checked = true;
    await page.press("Apply");
    assertEquals(page.shown.getAllByRole("columnheader").length, 6);
    await page.open("/filesets?q=payroll&limit=10");
    await page.press("CSV");
    assertMatch(page.file!.name, /^file-sets-\d{4}-\d\d-\d\d\.csv$/);
    assertEquals(page.file!.text.trim().split("\n").length, 327);
    await page.press("Sign out");
    assertEquals(page.url.pathname, "/sign-in");
  }, { isSignedIn: false }));
