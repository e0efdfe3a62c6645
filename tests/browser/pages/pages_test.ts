import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { pathsOf } from "../page_paths.ts";
import { signIn, violationsOf, type Visit, withPage } from "../visit.ts";

/** Pages with what is no part of others: those of the parts are checked in the dark by themselves. */
const IN_THE_DARK = ["/sign-in", "/", "/filesets?q=name:nothing", "opened parts"];

/** Adds what is wrong with a page, a line each. */
async function check(page: Page, what: string, faults: string[]): Promise<void> {
  faults.push(...(await violationsOf(page)).map((violation) => `${what}: ${violation}`));
  if (IN_THE_DARK.includes(what)) {
    await page.emulateMedia({ colorScheme: "dark" });
    const contrast = await violationsOf(page, ["color-contrast"]);
    faults.push(...contrast.map((violation) => `${what}, dark: ${violation}`));
    await page.emulateMedia({ colorScheme: "light" });
  }
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const used = await page.evaluate(() => document.documentElement.scrollWidth);
    if (used > width) faults.push(`${what} is ${used} px wide, not ${width}`);
  }
}

async function visitAll(visit: Visit, check: (what: string) => Promise<void>): Promise<void> {
  const { page } = visit;
  for (const path of ["/sign-in", "/sign-in?code=spent"]) {
    await page.goto(path);
    await check(path);
  }
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await check("a sign-in that failed");
  await signIn(visit);
  for (const path of await pathsOf(visit)) {
    await page.goto(path);
    await check(path);
  }
  await page.goto("/filesets?q=pay&limit=10");
  await page.getByText("Export, columns").click();
  await check("opened parts");
}

Deno.test("[browser] pages: axe finds no violation, light or dark, and none is too wide", async () => {
  const faults: string[] = [];
  await withPage(
    { colorScheme: "light", isWatched: true },
    (visit) => visitAll(visit, (what) => check(visit.page, what, faults)),
  );
  assertEquals(faults, []);
});
