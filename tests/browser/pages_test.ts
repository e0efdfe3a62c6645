import { assert, assertEquals } from "@std/assert";
import type { Locator } from "playwright-core";
import { createTestClock } from "../../lib/testing.ts";
import { createLog } from "../../server/log/log.ts";
import { signIn, violationsOf, type Visit, withPage } from "./visit.ts";

/** Every page and state that a link leads to, for somebody who is signed in. */
async function pathsOf({ services }: Visit): Promise<string[]> {
  const store = services.store!;
  const [run] = await store.reportSchedules.history(101, { limit: 1 });
  const [fileSet] = (await store.fileSets.search({}, { limit: 1 })).fileSets;
  return [
    "/",
    "/?state=down&q=claims",
    "/filesets",
    "/filesets?filter=!permission:EQUALS:READ&sort=updated:DESC&limit=25",
    "/filesets?filter=name:EQUALS:nothing",
    "/filesets?filter=colour:EQUALS:red",
    "/filesets?new-value=payroll",
    `/filesets?add=owner&open=${fileSet.id}&density=compact`,
    `/filesets/${fileSet.id}`,
    "/filesets/nothing",
    "/schedules",
    "/schedules?id=one",
    "/schedules?ids=101,102,103,107,112,999,x",
    "/schedules/statuses?status=paused",
    "/schedules/102",
    "/schedules/106?trigger=automated&min-seconds=60#runs",
    "/schedules/103?text=nothing+says+this",
    "/schedules/107",
    "/schedules/112/recipients",
    "/schedules/107/recipients",
    "/schedules/101/plan",
    "/schedules/105/check",
    "/schedules/101/check",
    "/schedules/104/compare",
    "/schedules/104/compare?before=1&after=2",
    "/schedules/104/compare?first=last-month&second=this-month",
    "/schedules/104/compare?first=soon",
    "/schedules/102?filter=status:EQUALS:failure&sort=duration:DESC&pick=on",
    "/schedules/102?filter=colour:EQUALS:blue&limit=x",
    "/schedules/111/check",
    "/schedules/999",
    `/schedules/101/runs/${run.id}`,
    `/schedules/101/runs/${run.id}?addresses=shown`,
    "/preferences",
    "/go",
    "/go?q=nothing+has+this+name",
    "/sign-out",
    "/nowhere",
  ];
}

/** Goes to every page and state, those of signing in first, and has each one checked. */
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
  await page.goto("/filesets?filter=name:LIKE:pay");
  for (const closed of ["Columns…", "Copy as…"]) {
    await page.getByText(closed).click();
  }
  await check("opened parts");
}

Deno.test("[browser] pages: axe finds no violation", () =>
  withPage({ colorScheme: "light" }, (visit) =>
    visitAll(visit, async (what) => {
      assertEquals(await violationsOf(visit.page), [], what);
    })));

Deno.test("[browser] pages: dark colours have contrast", () =>
  withPage({ colorScheme: "dark" }, (visit) =>
    visitAll(visit, async (what) => {
      assertEquals(await violationsOf(visit.page, ["color-contrast"]), [], what);
    })));

for (const width of [320, 1280]) {
  Deno.test(`[browser] pages: none is wider than a window of ${width} px`, () =>
    withPage({ width }, (visit) =>
      visitAll(visit, async (what) => {
        const used = await visit.page.evaluate(() => document.documentElement.scrollWidth);
        assert(used <= width, `${what} is ${used} px wide`);
      })));
}

for (const width of [320, 360]) {
  Deno.test(`[browser] pages: a service's long name wraps above what follows it, ${width} px`, () => {
    const host = `${"service".repeat(9)}.${"region".repeat(9)}.invalid`;
    const quiet = createLog({ level: "error", format: "text", write: () => {} });
    return withPage({
      width,
      env: { SERVICE_BASE_URL: `https://${host}` },
      standIns: { log: quiet, runtime: createTestClock().runtime },
      tolerated: /status of 502/,
    }, async ({ page, services, origin }) => {
      const headers = new Headers();
      const session = { token: "token-of-the-tests", service: services.identity };
      await services.sessions.write(headers, session, origin);
      const [name, value] = headers.getSetCookie()[0].split(";")[0].split("=");
      await page.context().addCookies([{ name, value, url: origin }]);
      await page.goto("/filesets");
      const views = page.getByText("Saved views");
      await views.waitFor();
      const service = await boxOf(page.getByText(`Upstream ${host}`));
      const header = await boxOf(page.getByRole("banner"));
      assert(service.x + service.width <= width, "the name is cut off");
      assert((await boxOf(views)).y >= header.y + header.height, "Saved views are in the header");
      assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), width);
    });
  });
}

async function boxOf(element: Locator) {
  return (await element.boundingBox())!;
}
