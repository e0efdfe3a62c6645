import { assertEquals } from "@std/assert";
import { putVerdict } from "../../../server/store/observer/verdicts.ts";
import { watchSample } from "../sample_watches.ts";
import { openSignedIn, untilLive, violationsOf, withPage } from "../visit.ts";

const HOUR = 3_600_000;

for (const colorScheme of ["light", "dark"] as const) {
  Deno.test(`[browser] overview: axe finds no violation in its grid, ${colorScheme}`, () =>
    withPage({ colorScheme }, async (visit) => {
      const { page, services: { records } } = visit;
      await watchSample(visit.services);
      const now = Date.now();
      const [verdict] = await records!.verdicts.list([102]);
      const missed = [{ at: now - 4 * HOUR, id: "a" }];
      const overdue = [{ at: now - HOUR, id: "b" }];
      const details = { ...verdict.details, missed, overdue };
      await records!.commit([putVerdict({ ...verdict, details })]);
      await openSignedIn(visit, "/");
      await page.getByRole("img", { name: "1 missed" }).waitFor();
      await page.getByRole("img", { name: "1 overdue" }).waitFor();
      assertEquals(await violationsOf(page), []);
    }));
}

Deno.test("[browser] overview: refreshed as chosen, with its filter, and a typed name stays", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await watchSample(services);
    const others = Array.from({ length: 20 }, (_, at) => 301 + at);
    await services.records!.watches.add(others, Date.now());
    await page.clock.install({ time: Date.now() });
    await openSignedIn(visit, "/");
    const refresh = page.getByLabel("Refresh");
    await refresh.selectOption("every 30 s");
    await page.locator('a[href="/?offset=30&refresh=30"]').first().waitFor();
    await page.locator('a[href="/?state=failing&refresh=30"]').click();
    await page.waitForURL("/?state=failing&refresh=30");
    await untilLive(page);
    await page.getByLabel(/^Your name/).fill("Ada");
    await refresh.focus();
    await services.records!.watches.add([300], Date.now());
    await page.clock.runFor(31_000);
    await page.getByText(/^Refreshed at/).waitFor();
    await page.getByRole("link", { name: "21 Unknown" }).waitFor();
    assertEquals(await page.getByLabel(/^Your name/).inputValue(), "Ada");
    assertEquals(
      await page.getByRole("region", { name: "Runs by hour" }).getByRole("row").count(),
      2,
    );
  }));

Deno.test("[browser] overview: an hour with a failure leads to its run, by keyboard too", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await watchSample(services);
    await openSignedIn(visit, "/?q=102");
    const failure = page.getByRole("link", { name: /^\d\d:00: 1 failed/ });
    await failure.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/schedules\/102\/runs\/\d+$/);
    await page.getByRole("navigation", { name: "Breadcrumbs" })
      .getByRole("link", { name: "Open claims" }).waitFor();
  }));
