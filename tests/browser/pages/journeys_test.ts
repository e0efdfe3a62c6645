/** A whole journey, as people make it. */
import { assertEquals, assertMatch } from "@std/assert";
import { withPage } from "../visit.ts";

Deno.test("[browser] journey: without JavaScript, signed out to an exported search", () =>
  withPage({ javaScriptEnabled: false }, async ({ page, token }) => {
    const says = (words: string | RegExp) =>
      page.getByRole("main").getByText(words).first().waitFor();
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const follow = (name: string) => page.getByRole("link", { name, exact: true }).click();
    const query = page.getByLabel("Query");
    await page.goto("/filesets?limit=10");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type(token);
    await press("Sign in");
    await query.fill("payroll");
    await press("Search");
    await says("326 of 5,000 file sets");
    await follow("Remove: name contains payroll");
    await says(/^5,000 file sets/);
    await query.fill("payroll -permission:READ updated:this-year sort:-updated");
    await press("Search");
    await page.getByRole("link", { name: "Remove: updated this year" }).waitFor();
    await follow("Remove: permission is not READ");
    assertEquals(await query.inputValue(), "payroll updated:this-year");
    await page.getByText("Add a condition").click();
    await page.getByLabel("Field", { exact: true }).selectOption("Permission");
    await press("Add");
    await page.getByRole("alert").getByText("A value is missing").waitFor();
    await page.getByLabel("Values or days").fill("WRITE");
    await press("Add");
    await follow("Remove: permission is WRITE");
    assertEquals(new URL(page.url()).searchParams.get("sort"), "-updated");
    await page.getByText("Export, columns").click();
    await page.getByRole("checkbox", { name: "Created", exact: true }).check();
    await press("Apply");
    assertEquals(await page.getByRole("columnheader").count(), 6);
    await page.goto("/filesets?q=payroll&limit=10");
    await page.getByText("Export, columns").click();
    const download = page.waitForEvent("download");
    await follow("CSV");
    assertMatch((await download).suggestedFilename(), /^file-sets-\d{4}-\d\d-\d\d\.csv$/);
    const file = await Deno.readTextFile(await (await download).path());
    assertEquals(file.trim().split("\n").length, 327);
    await page.getByLabel("Menu").click();
    await press("Sign out");
    await page.waitForURL(/\/sign-in/);
  }));
