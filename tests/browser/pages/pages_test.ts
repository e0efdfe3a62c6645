import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { ADA } from "../../actors.ts";
import { signIn, violationsOf, type Visit, withPage } from "../visit.ts";

/**
 * Every page and state that a link leads to, for somebody who is signed in. Tables are whole once;
 * where it is another state that counts, ten rows do.
 */
async function pathsOf({ services }: Visit): Promise<string[]> {
  const store = services.store!;
  const { owners } = services.records!;
  await owners.save({ name: "Finance", quiet: null, changed: Date.now(), actor: ADA }, {
    slack: {
      ...{ id: "slack-1", ownerKey: "finance", kind: "slack" },
      ...{ hint: "hooks.slack.com", sealed: "", created: 0 },
    },
  });
  const [run] = await store.reportSchedules.history(101, { limit: 1 });
  const [fileSet] = (await store.fileSets.search({}, { limit: 1 })).fileSets;
  return [
    "/",
    "/?state=failing&q=claims",
    "/filesets",
    "/filesets?q=-permission:READ&sort=-updated&limit=10",
    "/filesets?q=name:nothing",
    "/filesets?q=colour:EQUALS:red",
    "/filesets?new-form=1&new-value=payroll&limit=10",
    `/filesets?new-field=owner&open=${fileSet.id}&limit=10`,
    `/filesets/${fileSet.id}`,
    "/filesets/nothing",
    "/schedules",
    "/schedules?id=one",
    "/schedules?add=101,x",
    "/service",
    "/service/import",
    "/incidents/deliveries",
    "/people",
    "/people?group=left",
    "/people?nobody=",
    "/people?group=some",
    "/people/1",
    "/people/1?issue=name",
    "/people/worklist",
    "/people/leavers",
    "/schedules/102?limit=10",
    "/schedules/106?q=trigger:automated+took:>60s&limit=10#runs",
    "/schedules/103?text=nothing+says+this",
    "/schedules/107",
    "/schedules/112/recipients",
    "/schedules/107/recipients",
    "/schedules/101/plan",
    "/schedules/102?q=status:failure&sort=-took&limit=10",
    "/schedules/102?q=colour:EQUALS:blue&limit=x",
    "/schedules/999",
    `/schedules/101/runs/${run.id}`,
    `/schedules/101/runs/${run.id}?addresses=shown`,
    `/schedules/101/runs/${run.id}?with=1`,
    "/owners",
    "/owners/Finance",
    "/preferences",
    "/go",
    "/go?q=nothing+has+this+name",
    "/sign-out",
    "/nowhere",
  ];
}

/** What is checked of a page, and what was wrong with it, a line for each page. */
type Findings = Record<"light" | "dark" | 320 | 1280, string[]>;

let found: Promise<Findings> | undefined;

/** Goes once to every page and state, those of signing in first, and checks each in every way. */
function checkedPages(): Promise<Findings> {
  return found ??= (async () => {
    const findings: Findings = { light: [], dark: [], 320: [], 1280: [] };
    await withPage(
      { colorScheme: "light" },
      (visit) => visitAll(visit, (what) => check(visit.page, what, findings)),
    );
    return findings;
  })();
}

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

async function visitAll(
  visit: Visit,
  check: (what: string) => Promise<void>,
): Promise<void> {
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

Deno.test("[browser] pages: axe finds no violation", async () => {
  assertEquals((await checkedPages()).light, []);
});

Deno.test("[browser] pages: dark colours have contrast", async () => {
  assertEquals((await checkedPages()).dark, []);
});

for (const width of [320, 1280] as const) {
  Deno.test(`[browser] pages: none is wider than a window of ${width} px`, async () => {
    assertEquals((await checkedPages())[width], []);
  });
}
