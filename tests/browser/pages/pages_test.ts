import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { ADA } from "../../actors.ts";
import { INCIDENT_PATH, plantIncident } from "../../planted_incident.ts";
import { pathsOf } from "../page_paths.ts";
import { openSignedIn, violationsOf, type Visit, withPage } from "../visit.ts";

/** Pages with colours that others lack; those of the parts are checked by themselves. */
const COLOURED = ["/sign-in", "/", "/filesets?q=name:nothing", "/preferences", "opened parts"];

/** Adds what is wrong with a page, a line each. */
async function check(page: Page, what: string, faults: string[]): Promise<void> {
  const found = await violationsOf(page, COLOURED.includes(what) ? "too" : "not");
  if (COLOURED.includes(what)) {
    await page.emulateMedia({ colorScheme: "dark" });
    found.push(...await violationsOf(page, "only"));
    await page.emulateMedia({ colorScheme: "light" });
  }
  faults.push(...found.map((violation) => `${what}: ${violation}`));
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const used = await page.evaluate(() => document.documentElement.scrollWidth);
    if (used > width) faults.push(`${what} is ${used} px wide, not ${width}`);
  }
  const main = await page.locator("main :is(button, .button).main").filter({ visible: true })
    .count();
  if (main > 1) faults.push(`${what} has ${main} main buttons`);
  const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id));
  const repeated = ids.filter((id, at) => ids.indexOf(id) < at);
  faults.push(...repeated.map((id) => `${what} has the id ${id} twice`));
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
  await openSignedIn(visit, "/nowhere");
  const { watches, statuses } = visit.services.records!;
  const unbroken = { name: "n".repeat(100), owner: "o".repeat(100) };
  await watches.change(102, unbroken, Date.now());
  await statuses.say({ ["waiting".repeat(9)]: "bad" }, { actor: ADA, now: Date.now() });
  await plantIncident(visit, { name: "Ada".repeat(33) });
  const form = { action: "note", note: "warehouse".repeat(100), name: "Ada".repeat(33) };
  const noted = await page.request.post(INCIDENT_PATH, { form, headers: { origin: visit.origin } });
  assertEquals(noted.status(), 200);
  const found = `/schedules/102?q=status:${"waiting".repeat(9)}`;
  for (const path of [...await pathsOf(visit), INCIDENT_PATH, found]) {
    await page.goto(path);
    await check(path);
  }
  await page.goto("/filesets?q=pay&limit=10");
  await page.getByText("Export, columns").click();
  await check("opened parts");
}

Deno.test("[browser] pages: axe finds nothing, none is too wide, no main button or id repeats", async () => {
  const faults: string[] = [];
  await withPage(
    { colorScheme: "light", isWatched: true },
    (visit) => visitAll(visit, (what) => check(visit.page, what, faults)),
  );
  assertEquals(faults, []);
});
