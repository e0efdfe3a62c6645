import { assertEquals } from "@std/assert";
import { putVerdict } from "../../../server/store/observer/verdicts.ts";
import { openSignedIn, violationsOf, withPage } from "../visit.ts";

const HOUR = 3_600_000;

for (const colorScheme of ["light", "dark"] as const) {
  Deno.test(`[browser] overview: begun by its form, and read as a grid, ${colorScheme}`, () =>
    withPage({ colorScheme }, async (visit) => {
      const { page, services } = visit;
      await openSignedIn(visit);
      await page.getByRole("link", { name: "Overview" }).click();
      await page.getByLabel("Schedules to watch").fill("101-103");
      await page.getByRole("button", { name: "Watch", exact: true }).click();
      await page.getByRole("link", { name: "3 unknown" }).waitFor();
      const now = Date.now();
      await services.records!.commit([putVerdict({
        scheduleId: 102,
        judged: now,
        holdsUntil: now,
        state: "down",
        planSource: null,
        lastSuccess: now - 26 * HOUR,
        nextDue: null,
        overdue: 1,
        failing: 0,
        details: {
          reasons: [],
          plan: null,
          missed: [{ at: now - 4 * HOUR, id: "a" }],
          overdue: [{ at: now - HOUR, id: "b" }],
          runs: 1,
          entryLag: null,
          waitsMs: 0,
          failures: { retryUntil: null, failedLately: false },
        },
      })]);
      await page.goto("/?state=down");
      await page.getByRole("img", { name: "1 missed" }).waitFor();
      await page.getByRole("img", { name: "1 overdue" }).waitFor();
      assertEquals(await page.getByText(/(2[4-9]|3\d|4[0-7]) h ago/).count(), 1);
      assertEquals(await violationsOf(page), []);
    }));
}
