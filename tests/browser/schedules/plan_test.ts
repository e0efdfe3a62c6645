import { assertEquals, assertMatch } from "@std/assert";
import { openBeforeScripts, openSignedIn, violationsOf, withPage } from "../visit.ts";
import { WAYS } from "../plain/ways.ts";

for (const { kind, how, javaScriptEnabled, open } of WAYS) {
  Deno.test(`[${kind}] plan: preview, confirm and take back, ${how}`, () =>
    open({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/schedules/101");
      await page.getByRole("link", { name: "Plan", exact: true }).click();
      await page.getByText(/^Inferred from 400 runs/).waitFor();
      const slots = page.getByRole("region", { name: "Latest planned runs" }).getByRole("row");
      assertEquals(await slots.count(), 21);

      await page.getByLabel("Cron lines").fill("0 25 * * *");
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await page.getByText("the hour must be 0 to 23").waitFor();
      assertEquals(await page.getByLabel("Cron lines").inputValue(), "0 25 * * *");

      await page.getByLabel("Cron lines").fill("0 3 * * *");
      await page.getByLabel("Time zone").fill("UTC");
      await page.getByLabel("Grace in minutes").fill("5");
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await page.getByText("Due daily at 03:00, UTC").waitFor();
      assertMatch(await slots.nth(2).textContent() ?? "", /late|missed|not counted/);
      await page.getByLabel("Your name").fill("Ada");
      await page.getByRole("button", { name: "Confirm this plan" }).click();
      await page.waitForURL("/schedules/101/plan");
      await page.getByText("The plan is saved and confirmed.").waitFor();
      await page.getByText(/^Confirmed on /).waitFor();
      if (javaScriptEnabled) assertEquals(await violationsOf(page), []);

      await page.getByRole("button", { name: "Use the inferred plan" }).click();
      await page.getByText(/^Inferred from 400 runs/).waitFor();
    }));
}

Deno.test("[browser] PlanPreview: what was typed before the scripts arrived is previewed", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    const release = await openBeforeScripts(visit, "/schedules/101/plan");
    await page.getByLabel("Cron lines").fill("0 3 * * *");
    release();
    await page.getByText("Due daily at 03:00").waitFor();
  }));

Deno.test("[browser] PlanPreview: errors and slots are shown as one types, and the focus stays", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/101/plan");
    const cron = page.getByLabel("Cron lines");
    await cron.fill("0 25 * * *");
    await page.getByText("the hour must be 0 to 23").waitFor();
    assertEquals(await cron.getAttribute("aria-invalid"), "true");
    await page.getByText(/^Inferred from 400 runs/).waitFor();

    await cron.fill("0 3 * * *");
    await page.getByText("Due daily at 03:00").waitFor();
    await page.getByText("Not saved yet").waitFor();
    assertEquals(await cron.getAttribute("aria-invalid"), null);
    assertEquals(await page.evaluate(() => document.activeElement?.id), "cron");
    assertEquals(new URL(page.url()).search, "");
    assertEquals(await violationsOf(page), []);
  }));
