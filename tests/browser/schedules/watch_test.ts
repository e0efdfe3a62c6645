import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { pollAll } from "../sample_watches.ts";

Deno.test("[e2e] watch list: add, filter and remove schedules", () =>
  withPlainPage(async ({ page, services }) => {
    await page.open("/schedules");
    assertStringIncludes(page.text, "No schedules were added");
    page.fill("Schedules to watch", "101, 103 102");
    await page.press("Watch");
    assertMatch(page.text, /All 3\b/);
    await pollAll(services);
    await page.open("/schedules");
    const rows = page.text.split("\n").filter((line) => /^\w+ \w+ 10\d/.test(line));
    assertMatch(rows[0], /^Open claims 102.*✕ Failing.*Failing for 7 runs/);
    assertMatch(rows[2], /^Daily revenue 101/);
    page.fill("Filter by name, owner or id", "102");
    await page.press("Filter");
    assertEquals(page.text.match(/^\w+ \w+ 10\d/gm)?.length, 1);

    await page.open("/schedules/103");
    const open = async () => (await services.records!.incidents.open(103)).length;
    assertEquals(await open(), 2);
    await page.press("Unwatch");
    const said = "Schedule 103 is no longer watched, and its open incidents are resolved.";
    assertStringIncludes(page.text, said);
    assertEquals(await open(), 0);
    await page.press("Undo");
    assertEquals(page.path, "/schedules/103");
    await page.press("Unwatch");
    // It is said once, and what a link says is not believed.
    for (const path of ["/schedules/103", "/schedules/103?unwatched=999&saved=plan"]) {
      await page.open(path);
      page.named("Watch");
      assertEquals(page.text.match(/is no longer watched|is saved/), null, path);
    }
    await page.open("/schedules?list=unwatched");
    assertMatch(page.text, /103.*Not watched/s);
    page.field("Select 103", true).checked = true;
    page.fill("Owner of the chosen schedules", "Finance");
    await page.press("Set owner");
    assertMatch(page.text, /103.*Finance/s);
    page.field("Select 103", true).checked = true;
    await page.press("Remove unwatched");
    assertStringIncludes(page.text, "2 schedules known");
  }));

Deno.test("[e2e] watch list: one press watches all schedules that were found", () =>
  withPlainPage(async ({ page, services }) => {
    const { watches } = services.records!;
    const found = Array.from({ length: 60 }, (_, at) => 101 + at);
    await watches.add(found, 0, {}, undefined, { source: "found", watched: 0 });
    for (const narrowed of ["/schedules", "/schedules?list=unwatched&q=10"]) {
      await page.open(narrowed);
      assertEquals(page.text.includes("Watch all"), false);
    }
    await page.open("/schedules?list=unwatched");
    await page.press("Watch all 60");
    assertEquals((await services.records!.overview.countLists()).watched, 60);
    // More than can be watched at once.
    const unwatched = { watched: 0, settings: {} } as const;
    const added = Array.from({ length: 5001 }, (_, at) => ({ ...unwatched, scheduleId: at + 999 }));
    await watches.saveAll({ added, changed: [], source: "found", events: [] }, 0);
    await page.open("/schedules?list=unwatched");
    assertEquals(page.text.includes("Watch all"), false);
  }));

Deno.test("[e2e] schedules: a scan starts, shows progress, stops, and says refusals", () =>
  withPlainPage(async ({ services, page }) => {
    await page.open("/schedules/find");
    const wrong = { "First id": "-1", "Last id": "many", "Requests per second": "51" };
    for (const [label, text] of Object.entries(wrong)) page.fill(label, text);
    await page.press("Scan");
    for (const label of Object.keys(wrong)) {
      assertStringIncludes(page.text, `✕ ${label} must be a whole number`);
    }
    page.fill("First id", "200");
    page.fill("Last id", "100");
    page.fill("Requests per second", "5");
    await page.press("Scan");
    assertStringIncludes(page.text, "at least the first id, and at most 999,999 more.");
    page.fill("Last id", "5000");
    const { scans } = services.records!;
    await scans.begin({ from: 1, to: 9, rate: 5, started: 0 });
    await page.press("Scan");
    assertStringIncludes(page.text, "Another scan is running: stop it first.");
    await page.press("Stop");
    assertMatch(page.text, /ids 1 to 9 scanned on .* Stopped by a person\. To continue/s);
    page.fill("First id", "200");
    page.fill("Last id", "5000");
    await page.press("Scan");
    assertStringIncludes(page.text, "0 of 4,801 ids scanned, at least 16 min 01 s left.");
  }));
