/** Watching and finding schedules, without JavaScript. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { pollAll } from "../sample_watches.ts";
import { openSignedIn, testSteps } from "../visit.ts";

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).filter({ visible: true }).first().click();

testSteps("[browser] schedules: without JavaScript", { javaScriptEnabled: false }, {
  "are added, filtered and removed": async (visit) => {
    const { page, services } = visit;
    await openSignedIn(visit, "/schedules");
    const says = (words: string | RegExp) => page.getByText(words).first().waitFor();
    const rows = page.getByRole("rowheader");
    await says(/No schedules were added/);
    await page.getByLabel("Schedules to watch").fill("101, 103 102");
    await press(page, "Watch");
    await says("All 3");
    await pollAll(services);
    await page.goto("/schedules");
    const row = page.getByRole("row").filter({ has: rows });
    assertMatch((await row.first().textContent())!, /Open claims.*102.*Failing for 7 runs/);
    assertMatch((await rows.nth(2).textContent())!, /Daily revenue/);
    await page.getByPlaceholder("Filter by name, owner or id").fill("102");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=102/);
    assertEquals(await rows.count(), 1);

    await page.goto("/schedules/103");
    const open = async () => (await services.records!.incidents.open(103)).length;
    assertEquals(await open(), 2);
    const more = page.getByLabel("More: name, owner, unwatch");
    await more.click();
    await press(page, "Unwatch");
    await says(/^Schedule 103 is no longer watched, and its open incidents are resolved\./);
    assertEquals(await open(), 0);
    await press(page, "Undo");
    await more.click();
    await press(page, "Unwatch");
    // It is said once, and what a link says is not believed.
    for (const path of ["/schedules/103", "/schedules/103?unwatched=999&saved=plan"]) {
      await page.goto(path);
      await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
      assertEquals(await page.getByText(/is no longer watched|is saved/).count(), 0, path);
    }
  },

  "have their plan confirmed by one press, once a name is known": async (visit) => {
    const { page, services } = visit;
    await openSignedIn(visit, "/schedules/104");
    await press(page, "Confirm the plan");
    await page.getByText(/Enter your name/).first().waitFor();
    await page.getByLabel(/Acting as/).first().fill("Ada");
    await press(page, "Confirm the plan");
    await page.goto("/schedules/102/recipients");
    await page.getByText(/· plan inferred/).waitFor();
    await press(page, "Confirm the plan");
    await page.getByText("The plan is saved and confirmed.").waitFor();
    const { watches, events } = services.records!;
    for (const id of [104, 102]) {
      const [{ actor }] = await events.latest(id, 1, ["plan confirmed"]);
      assertEquals([(await watches.get(id))?.plans.length, actor?.name], [1, "Ada"]);
    }
  },
});
