import { assertEquals } from "@std/assert";
import { openSignedIn, violationsOf, withPage } from "../visit.ts";

Deno.test("[browser] PlanPreview: errors and planned runs are shown while typing, and the focus stays", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/101/plan");
    await page.getByText("Change…").click();
    const cron = page.getByLabel("Cron expressions");
    const place = async () => (await cron.boundingBox())!.y;
    const before = await place();
    await cron.fill("0 25 * * *");
    await page.getByText("the hour must be 0 to 23").waitFor();
    assertEquals(await cron.getAttribute("aria-invalid"), "true");

    await cron.fill("0 3 * * *");
    await page.getByText("Due daily at 03:00").waitFor();
    await page.getByText("Not saved yet").waitFor();
    assertEquals(await place(), before);
    assertEquals(await cron.getAttribute("aria-invalid"), null);
    assertEquals(await page.evaluate(() => document.activeElement?.id), "cron");
    assertEquals(new URL(page.url()).search, "");
    assertEquals(await violationsOf(page), []);
  }));
