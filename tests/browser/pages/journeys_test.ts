/** Whole journeys, as people make them. */
import { assertEquals } from "@std/assert";
import { eventually } from "../../eventually.ts";
import { openPalette, signIn, withPage } from "../visit.ts";

for (const [width, forcedColors] of [[1280, "none"], [360, "active"]] as const) {
  Deno.test(`[browser] journey: signed out to an exported view in eight actions, by keys alone, ${width} px`, () =>
    withPage({ width }, async ({ page, token }) => {
      await page.emulateMedia({ forcedColors });
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
      const option = (name: string) => page.getByRole("option", { name, selected: true });
      /** Opens the palette once the page's scripts are there, and finds something in it. */
      const find = async (text: string, found: string, keys: readonly string[] = []) => {
        await openPalette(page);
        actions += 1;
        await act(text, true);
        await page.getByText(/^\d+ match|^No matches/).waitFor();
        for (const key of keys) await act(key);
        await option(found).waitFor();
        await act("Enter");
      };
      await find("payroll", "Search file sets for “payroll”");
      await page.waitForURL(/\/filesets\?.*payroll/);
      const download = page.waitForEvent("download");
      await find("as csv", "Export as CSV");
      const file = await Deno.readTextFile(await (await download).path());
      assertEquals(file.trim().split("\n").length, 327);
      await eventually(async () =>
        assertEquals(await page.getByText(/^Saved all 326 rows/).count(), 1)
      );
      assertEquals(actions, 8);
    }));
}

Deno.test("[browser] journey: without JavaScript, signed out to an exported search", () =>
  withPage({ javaScriptEnabled: false }, async (visit) => {
    const { page } = visit;
    await signIn(visit);
    await page.getByLabel("Query").fill("payroll");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText(/^326 of 5,000 file sets, name contains payroll/).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV", exact: true }).click();
    const file = await Deno.readTextFile(await (await download).path());
    assertEquals(file.trim().split("\n").length, 327);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("/sign-in");
  }));
