import { assertEquals, assertMatch } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";

Deno.test("[e2e] runs: searched over all that were loaded, by a query without JavaScript", () =>
  withPlainPage(async ({ page, services }) => {
    const runs = await services.store!.reportSchedules.history(110, { limit: 1000 });
    const byHand = runs.filter(({ automated }) => !automated);
    await page.open("/schedules/110?limit=50");
    assertMatch(page.text, /^400 runs/m);
    page.fill("Query", "trigger:hand");
    await page.press("Search");
    assertMatch(page.text, new RegExp(`^${byHand.length} of 400 runs`, "m"));
    assertEquals(page.text.match(/^.* \| manual \|/gm)?.length, 50);
    assertEquals(page.text.includes("| automated |"), false);
    assertEquals(page.url.search, "?q=trigger:manual&limit=50");

    page.fill("Query", "took>5m");
    await page.press("Search");
    assertMatch(page.shown.getByRole("alert").textContent!, /A colon is missing after the field/);
    await page.press("Did you mean took:>5m?");
    assertEquals(page.url.search, "?q=took:%3E5m&limit=50");
  }));
