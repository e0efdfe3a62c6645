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
    await page.goto("/schedules?list=unwatched");
    for (const action of ["Set owner", "Remove unwatched"]) {
      await page.getByLabel("Select 103").check();
      await page.getByLabel("Owner of the chosen schedules").fill("Finance");
      await press(page, action);
      if (action === "Set owner") await row.getByText("Finance").waitFor();
    }
    await says(/2 schedules known/);
  },

  "that were found are watched by one press": async (visit) => {
    const { page, services } = visit;
    const { watches, overview } = services.records!;
    const found = Array.from({ length: 60 }, (_, at) => 1001 + at);
    await watches.add(found, 0, {}, undefined, { source: "found", watched: 0 });
    const all = page.getByRole("button", { name: /^Watch all/ });
    for (const narrowed of ["", "?list=unwatched&q=10"]) {
      await openSignedIn(visit, `/schedules${narrowed}`);
      assertEquals(await all.count(), 0);
    }
    const before = (await overview.countLists()).watched;
    await page.goto("/schedules?list=unwatched");
    await press(page, "Watch all 60");
    await page.waitForURL(/schedules(?!.*unwatched)/);
    assertEquals((await overview.countLists()).watched, before + 60);
    // More than can be watched at once.
    const unwatched = { watched: 0, settings: {} } as const;
    const added = Array.from(
      { length: 5001 },
      (_, at) => ({ ...unwatched, scheduleId: at + 2000 }),
    );
    await watches.saveAll({ added, changed: [], source: "found", events: [] }, 0);
    await page.goto("/schedules?list=unwatched");
    assertEquals(await all.count(), 0);
  },

  "are found by a scan, which shows its progress, stops, and says refusals": async (visit) => {
    const { page, services } = visit;
    await openSignedIn(visit, "/schedules/find");
    const scan = async (fields: Record<string, string>) => {
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
      // What browsers refuse by themselves is refused by the server, too.
      await page.locator("form").evaluateAll((forms) =>
        (forms as HTMLFormElement[]).forEach((form) => form.noValidate = true)
      );
      await press(page, "Scan");
    };
    const says = (words: string | RegExp) => page.getByText(words).first().waitFor();
    const wrong = { "First id": "-1", "Last id": "many", "Requests per second": "51" };
    await scan(wrong);
    for (const label of Object.keys(wrong)) {
      await says(new RegExp(`✕ ${label} must be a whole number`));
    }
    await services.records!.scans.begin({ from: 1, to: 9, rate: 5, started: 0 });
    await scan({ "First id": "200", "Last id": "5000", "Requests per second": "5" });
    await says(/Another scan is running: stop it first\./);
    await press(page, "Stop");
    await says(/ids 1 to 9 started on .* Stopped by a person\. To continue/);
    await scan({ "First id": "200", "Last id": "5000" });
    await says(/0 of 4,801 ids scanned, at least 16 min 01 s left\./);
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
