import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { openSignedIn, violationsOf, withPage } from "../visit.ts";

Deno.test("[e2e] plan: is previewed, confirmed and undone", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/schedules/101");
    await page.press("Plan");
    assertMatch(page.text, /Docket inferred this from 400 runs/);
    const planned = page.shown.getByRole("region", { name: "Latest planned runs" });
    assertEquals(planned.querySelectorAll("tr").length, 21);

    page.fill("Cron expressions", "0 25 * * *");
    await page.press("Preview");
    assertStringIncludes(page.text, "the hour must be 0 to 23");
    assertEquals(page.field("Cron expressions").value, "0 25 * * *");

    page.fill("Cron expressions", "0 3 * * *");
    page.fill("Time zone", "UTC");
    page.fill("Grace in minutes", "5");
    await page.press("Preview");
    assertStringIncludes(page.text, "Due daily at 03:00");
    page.fill("Acting as", "Ada");
    page.fill("This plan is right, although none of the latest runs fits it", true);
    await page.press("Save the plan");
    assertEquals(page.path, "/schedules/101/plan");
    assertStringIncludes(page.text, "The plan is saved and confirmed.");
    assertMatch(page.text, /^Confirmed$/m);
    await page.press("Use the inferred plan");
    assertMatch(page.text, /Docket inferred this from 400 runs/);
  }));

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
