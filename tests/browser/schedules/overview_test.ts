import { assertEquals } from "@std/assert";
import { watchSample } from "../sample_watches.ts";
import { openSignedIn, untilLive, violationsOf, withPage } from "../visit.ts";

for (const colorScheme of ["light", "dark"] as const) {
  Deno.test(`[browser] overview: axe finds no violation in its grid, ${colorScheme}`, () =>
    withPage({ colorScheme }, async (visit) => {
      await watchSample(visit.services);
      await openSignedIn(visit, "/");
      await visit.page.getByRole("img", { name: /missed/ }).first().waitFor();
      assertEquals(await violationsOf(visit.page), []);
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
    await page.locator('a[href="/?state=down&refresh=30"]').click();
    await page.waitForURL("/?state=down&refresh=30");
    await untilLive(page);
    await page.getByLabel(/^Your name/).fill("Ada");
    await refresh.focus();
    await services.records!.watches.add([300], Date.now());
    await page.clock.runFor(31_000);
    await page.getByText(/^Refreshed at/).waitFor();
    await page.getByRole("link", { name: "21 unknown" }).waitFor();
    assertEquals(await page.getByLabel(/^Your name/).inputValue(), "Ada");
    assertEquals(
      await page.getByRole("region", { name: "Runs by hour" }).getByRole("row").count(),
      3,
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
