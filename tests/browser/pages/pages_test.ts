import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { pathsOf } from "../page_paths.ts";
import { signIn, violationsOf, type Visit, withPage } from "../visit.ts";

/** What was wrong with a page in each of these ways, a line each. */
type Findings = Record<"light" | "dark" | 320 | 1280, string[]>;

async function check(page: Page, what: string, findings: Findings): Promise<void> {
  findings.light.push(...(await violationsOf(page)).map((violation) => `${what}: ${violation}`));
  await page.emulateMedia({ colorScheme: "dark" });
  const contrast = await violationsOf(page, ["color-contrast"]);
  findings.dark.push(...contrast.map((violation) => `${what}: ${violation}`));
  await page.emulateMedia({ colorScheme: "light" });
  for (const width of [320, 1280] as const) {
    await page.setViewportSize({ width, height: 800 });
    const used = await page.evaluate(() => document.documentElement.scrollWidth);
    if (used > width) findings[width].push(`${what} is ${used} px wide`);
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
  const findings: Findings = { light: [], dark: [], 320: [], 1280: [] };
  await withPage(
    { colorScheme: "light", isWatched: true },
    (visit) => visitAll(visit, (what) => check(visit.page, what, findings)),
  );
  assertEquals(findings, { light: [], dark: [], 320: [], 1280: [] });
});
