import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { openPalette, openSignedIn, violationsOf, withPage } from "../visit.ts";

async function openViews(page: Page) {
  await page.getByText("Saved views").click();
  await page.getByLabel("Save current view as").waitFor();
}

async function save(page: Page, name: string) {
  await page.getByLabel("Save current view as").fill(name);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(`Saved “${name}”.`).waitFor();
}

const namesOf = (page: Page) => page.locator("[data-view] > a").allTextContents();

Deno.test("[browser] saved views: saved, preferred, renamed, deleted and brought back, by keys alone", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?filter=name:LIKE:payroll");
    await openViews(page);
    for (const name of ["Payroll", "Second", "Third"]) await save(page, name);
    await page.reload();
    await openViews(page);
    assertEquals(await namesOf(page), ["Payroll", "Second", "Third"]);
    assertEquals(await violationsOf(page), []);
    await page.getByRole("button", { name: "Default Payroll" }).press("Enter");
    await page.getByText("File sets opens with “Payroll”.").waitFor();
    await page.goto("/");
    await page.getByRole("link", { name: "File sets" }).click();
    await page.waitForURL("/filesets?filter=name:LIKE:payroll");
    await openViews(page);
    await page.getByRole("button", { name: "Rename Second" }).press("Enter");
    await page.keyboard.insertText("Other");
    await page.keyboard.press("Enter");
    assertEquals(await namesOf(page), ["Payroll", "Other", "Third"]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByRole("button", { name: "Delete Second" }).press("Enter");
    assertEquals(await namesOf(page), ["Payroll", "Third"]);
    await page.waitForFunction(() => document.activeElement?.textContent === "Undo");
    await page.keyboard.press("Enter");
    assertEquals(await namesOf(page), ["Payroll", "Second", "Third"]);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.textContent === "Saved views");
  }));

Deno.test("[browser] saved views: keep the runs of a schedule as well, and the palette goes to them", () =>
  withPage({ width: 360 }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/102?filter=status:EQUALS:failure");
    await openViews(page);
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await save(page, "Failures of 102");
    await page.goto("/incidents");
    await openPalette(page);
    await page.keyboard.type("failures");
    await page.getByRole("option", { name: "Failures of 102", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("/schedules/102?filter=status:EQUALS:failure");
  }));

Deno.test("[browser] saved views: without JavaScript there is no menu that does nothing", () =>
  withPage({ javaScriptEnabled: false }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    assertEquals(await page.getByText("Saved views", { exact: true }).isVisible(), false);
  }));
