import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { openSignedIn, withPage } from "../visit.ts";

Deno.test("[e2e] schedules: an id leads to its history", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/schedules");
    page.fill("Schedule id", "1o2");
    await page.press("Show history");
    assertMatch(page.shown.getByRole("alert").textContent!, /whole number/);
    assertEquals(page.field("Schedule id").value, "1o2");
    page.fill("Schedule id", "102");
    await page.press("Show history");
    assertEquals(page.path, "/schedules/102");
    page.shown.getByRole("heading", { level: 1, name: "Open claims" });
  }));

Deno.test("[e2e] runs: searched over all that were loaded, by a query without JavaScript", () =>
  withPlainPage(async ({ page, services }) => {
    const runs = await services.store!.reportSchedules.history(110, { limit: 1000 });
    const seconds = ({ startTime, endTime }: typeof runs[number]) =>
      (Date.parse(endTime!) - Date.parse(startTime!)) / 1000;
    const byHand = runs.filter(({ automated }) => !automated);
    const search = async (query: string, shown: number) => {
      page.fill("Query", query);
      await page.press("Search");
      assertMatch(page.text, new RegExp(`^${shown} of 400 runs`, "m"));
    };
    await page.open("/schedules/110?limit=50");
    assertMatch(page.text, /^400 runs/m);
    await search("trigger:hand", byHand.length);
    assertEquals(page.shown.queryAllByRole("cell", { name: "automated" }), []);
    const table = page.shown.getByRole("region", { name: "Runs" });
    assertEquals(table.querySelectorAll("tr").length, 51);
    assertEquals(page.url.search, "?q=trigger:manual&limit=50");

    const between = runs.filter((run) => seconds(run) >= 40 && seconds(run) <= 45);
    await page.open("/schedules/110");
    await search("took:40s..45s has:attachment", between.length);
    await search("recipient:2999", 0);
    assertStringIncludes(page.text, "No runs match.");
    page.fill("Query", "took>5m");
    await page.press("Search");
    assertMatch(page.shown.getByRole("alert").textContent!, /A colon is missing after the field/);
    await page.press("Did you mean took:>5m?");
    assertEquals(page.url.search, "?q=took:%3E5m");
  }));

Deno.test("[browser] runs: conditions and sorting", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    const runs = await services.store!.reportSchedules.history(102, { limit: 1000 });
    await openSignedIn(visit, "/schedules/102?limit=10");
    const shows = (words: string) =>
      page.locator("#search-result").getByText(words, { exact: true }).waitFor();
    await page.getByText("Add a condition").click();
    await page.getByLabel("Field", { exact: true }).selectOption("Duration");
    await page.getByLabel("Condition", { exact: true }).selectOption("is over");
    const values = page.getByLabel("Values or days");
    await values.fill("long");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").getByText("Write a duration").waitFor();
    assertEquals(await values.inputValue(), "long");
    await values.fill("40 s");
    await values.press("Enter");
    const secondsOf = ({ startTime, endTime }: typeof runs[number]) =>
      endTime ? (Date.parse(endTime) - Date.parse(startTime!)) / 1000 : 0;
    const long = runs.filter((run) => secondsOf(run) > 40).length;
    await shows(`${long} of 400 runs`);
    assertEquals(await page.getByLabel("Query").inputValue(), "took:>40s");
    await page.getByLabel("Query").fill("-took:>40s");
    await page.getByLabel("Query").press("Enter");
    await shows(`${400 - long} of 400 runs`);
    await page.getByRole("link", { name: "Remove: duration is not over 40 s" }).click();
    await shows("400 runs");

    const heading = page.getByRole("columnheader", { name: "Duration" });
    await heading.getByRole("link").click();
    await heading.and(page.locator("[aria-sort]")).waitFor();
    await heading.getByRole("link").click();
    await page.waitForURL((url) => url.search === "?sort=-took&limit=10");
    const longest = Math.max(...runs.map(secondsOf));
    const table = page.getByRole("region", { name: "Runs" });
    await table.getByRole("row").nth(1).getByRole("cell", { name: `${longest} s` }).waitFor();
  }));

Deno.test("[e2e] runs: a schedule and a run that nobody knows say so", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/schedules/999");
    assertMatch(page.shown.getByRole("alert").textContent!, /no report schedule 999/);
    await page.open("/schedules/101/runs/1");
    assertMatch(page.shown.getByRole("alert").textContent!, /Schedule 101 has no run 1/);
  }));
