import { assert, assertEquals, assertMatch } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";
import { WAYS, withPlainPage } from "../plain/ways.ts";

for (const { kind, how, javaScriptEnabled, open } of WAYS) {
  Deno.test(`[${kind}] schedules: an id leads to its history, and is remembered, ${how}`, () =>
    open({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/schedules");
      await page.getByLabel("Schedule id").fill("1o2");
      await page.getByRole("button", { name: "Show history" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /whole number/);
      assertEquals(await page.getByLabel("Schedule id").inputValue(), "1o2");
      await page.getByLabel("Schedule id").fill("102");
      await page.getByRole("button", { name: "Show history" }).click();
      await page.waitForURL("/schedules/102");
      assertEquals(await page.getByRole("heading", { level: 1 }).textContent(), "Open claims");
      await page.getByText("Latest 60 runs: 53 success, 7 failure").waitFor();
      await page.getByRole("link", { name: "Schedules" }).first().click();
      await page.getByRole("link", { name: "102", exact: true }).click();
      await page.waitForURL("/schedules/102");
    }));

  Deno.test(`[${kind}] runs: paged, each with its status in words, ${how}`, () =>
    open({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/schedules/102");
      const rows = page.getByRole("row");
      assertEquals(await rows.count(), 101);
      assertEquals(await page.getByRole("cell", { name: "failure" }).count(), 7);
      await page.getByRole("link", { name: "Next" }).click();
      await page.waitForURL((url) => url.search === "?skip=100");
      await page.getByText("101–200").waitFor();
      assertEquals(await page.getByRole("cell", { name: "failure" }).count(), 0);
      // The strip is of the latest runs, whatever page is shown.
      await page.getByText("Latest 60 runs: 53 success, 7 failure").waitFor();
      await page.goto("/schedules/102?skip=400");
      await page.getByText("There are no more runs.").waitFor();
    }));

  Deno.test(`[${kind}] runs: filtered over all that were loaded, by every condition, ${how}`, () =>
    open({}, async (visit) => {
      const { page, services } = visit;
      const runs = await services.store!.reportSchedules.history(110, { limit: 1000 });
      await openSignedIn(visit, "/schedules/110?limit=25");
      const apply = page.getByRole("button", { name: "Apply" });
      const shows = async (words: string) => {
        if (!javaScriptEnabled) await apply.click();
        await page.getByText(words, { exact: true }).waitFor();
      };
      await page.getByText("400 runs", { exact: true }).waitFor();
      const byHand = runs.filter(({ automated }) => !automated).length;
      await page.getByRole("combobox", { name: "Trigger" }).selectOption("manual");
      await shows(`${byHand} of 400 runs`);
      assertEquals(await page.getByRole("cell", { name: "automated" }).count(), 0);
      assertEquals(await page.getByRole("row").count(), 26);
      assertEquals(new URL(page.url()).search, "?filter=automated:EQUALS:false&limit=25");

      await page.getByLabel("Text", { exact: true }).fill("nothing says this");
      await shows("0 of 400 runs");
      await page.getByText("No runs match the filter.").waitFor();
      await page.getByLabel("Text", { exact: true }).fill("");
      await page.getByLabel("Text", { exact: true }).pressSequentially("CASH pos");
      await shows(`${byHand} of 400 runs`);

      const day = runs.find(({ automated }) => !automated)!.startTime!.slice(0, 10);
      await page.getByLabel("From", { exact: true }).fill(day);
      await page.getByLabel("To", { exact: true }).fill(day);
      const ofDay = runs.filter(({ automated, startTime }) =>
        !automated && startTime!.startsWith(day)
      ).length;
      await shows(`${ofDay} of 400 runs`);
      await page.getByLabel("From", { exact: true }).fill("");
      await page.getByLabel("To", { exact: true }).fill("");
      await page.getByRole("combobox", { name: "Trigger" }).selectOption("any");

      const secondsOf = (run: typeof runs[number]) =>
        (Date.parse(run.endTime!) - Date.parse(run.startTime!)) / 1000;
      await page.getByLabel("Min. duration").fill("40");
      await page.getByLabel("Max. duration").fill("45");
      const between = runs.filter((run) => secondsOf(run) >= 40 && secondsOf(run) <= 45).length;
      await shows(`${between} of 400 runs`);
      const recipient = page.getByRole("combobox", { name: "Recipient" });
      await recipient.fill("2999");
      await recipient.press("Enter");
      await shows("0 of 400 runs");
      const { userId, displayName, emailAddress } = runs[0].recipients![0];
      await recipient.fill(emailAddress!);
      await recipient.press("Enter");
      await shows(`${between} of 400 runs`);
      // An address is not repeated: neither in the link nor on the page.
      assertEquals(await recipient.inputValue(), displayName);
      assert(page.url().includes(`filter=recipient:EQUALS:${userId}`));
      const attachments = page.getByRole("combobox", { name: "Attachments" });
      await attachments.selectOption("without");
      await shows("0 of 400 runs");
      await attachments.selectOption("with");
      await page.getByRole("checkbox", { name: "success" }).check();
      await shows(`${between} of 400 runs`);
      // A reload, or a link that was shared, shows the same.
      await page.reload();
      await page.getByText(`${between} of 400 runs`).waitFor();
      assertEquals(await page.getByLabel("Max. duration").inputValue(), "45 s");
    }));

  Deno.test(`[${kind}] runs: conditions on any field, chips, sorting and columns, ${how}`, () =>
    open({}, async (visit) => {
      const { page, services } = visit;
      const runs = await services.store!.reportSchedules.history(102, { limit: 1000 });
      await openSignedIn(visit, "/schedules/102?limit=10");
      const result = page.getByRole("status").first();
      const shows = (words: string) => result.getByText(words, { exact: true }).waitFor();
      // With JavaScript, they stay open.
      const openOthers = async () => {
        if (await page.getByLabel("Field").isVisible()) return;
        await page.getByText("Other fields and columns").click();
      };
      const addFilter = async (field: string, operator: string, value: string) => {
        await openOthers();
        await page.getByLabel("Field").selectOption(field);
        await page.getByLabel("Operator").selectOption(operator);
        await page.getByLabel("Value").fill(value);
        await page.getByRole("button", { name: "Add" }).click();
      };
      await addFilter("Duration", "contains", "40");
      await page.getByText("✕ Operator Duration can be compared by: is, is not").waitFor();
      assertEquals(await page.getByLabel("Value").inputValue(), "40");
      await addFilter("Duration", "is over", "40");
      const secondsOf = ({ startTime, endTime }: typeof runs[number]) =>
        endTime ? (Date.parse(endTime) - Date.parse(startTime!)) / 1000 : 0;
      const long = runs.filter((run) => secondsOf(run) > 40).length;
      await shows(`${long} of 400 runs`);
      await page.getByText(`The charts show ${long} matching runs.`).waitFor();
      await page.getByRole("link", { name: "Negate: Duration is over 40 s" }).click();
      await shows(`${400 - long} of 400 runs`);
      await page.getByRole("link", { name: "Remove: Duration is not over 40 s" }).click();
      await shows("400 runs");

      await page.getByRole("link", { name: "Duration", exact: true }).click();
      await page.getByRole("columnheader", { name: "Duration" }).and(page.locator("[aria-sort]"))
        .waitFor();
      await page.getByRole("link", { name: "Duration", exact: true }).click();
      await page.waitForURL((url) => url.search === "?sort=duration:DESC&limit=10");
      const longest = Math.max(...runs.map(secondsOf));
      await page.getByRole("row").nth(1).getByRole("cell", { name: `${longest} s` }).waitFor();

      await openOthers();
      await page.getByRole("checkbox", { name: "Owner" }).check();
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Add" }).click();
      await page.getByRole("columnheader", { name: "Owner" }).waitFor();
      await page.getByRole("checkbox", { name: "failure" }).check();
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Apply" }).click();
      await shows("7 of 400 runs");
      await page.getByRole("columnheader", { name: "Owner" }).waitFor();
      // The browser remembers the columns, and links have them.
      await page.goto("/schedules/101");
      await page.getByRole("columnheader", { name: "Owner" }).waitFor();
      await page.getByRole("link", { name: "Duration", exact: true }).click();
      await page.waitForURL(/[?&]columns=.*ownerId/);
    }));

  Deno.test(`[${kind}] runs: two are picked in the table by keyboard and compared, ${how}`, () =>
    open({}, async (visit) => {
      const { page, services } = visit;
      const runs = await services.store!.reportSchedules.history(102, { limit: 10 });
      await openSignedIn(visit, "/schedules/102?limit=10");
      await page.getByRole("link", { name: "Select runs to compare" }).press("Enter");
      for (const { id } of [runs[0], runs[9]]) {
        const box = page.getByRole("checkbox", { name: `Compare run ${id}` });
        await box.focus();
        await page.keyboard.press("Space");
      }
      await page.getByRole("button", { name: "Compare selected runs" }).press("Enter");
      await page.waitForURL(`/schedules/102/compare?before=${runs[9].id}&after=${runs[0].id}`);
      await page.getByRole("row", { name: /^Status success failure/ }).waitFor();
      await page.getByLabel("Before (run id)").fill("none");
      await page.getByRole("button", { name: "Compare runs" }).press("Enter");
      await page.getByText("✕ Before (run id) must be the id of a run, a whole number.").waitFor();
      assertEquals(await page.getByLabel("Before (run id)").inputValue(), "none");
      await page.getByRole("link", { name: "This month and last" }).press("Enter");
      await page.getByRole("rowheader", { name: "Duration, median" }).waitFor();
    }));

  Deno.test(`[${kind}] runs: all that match are exported, ${how}`, () =>
    open({}, async (visit) => {
      const { page, services } = visit;
      const runs = await services.store!.reportSchedules.history(102, { limit: 1000 });
      const failed = runs.filter(({ status }) => status === "failure");
      await openSignedIn(visit, "/schedules/102?filter=status:EQUALS:failure&limit=2");
      const started = page.waitForEvent("download");
      await page.getByRole("link", { name: "NDJSON" }).click();
      const download = await started;
      assertMatch(download.suggestedFilename(), /^schedule-102-runs-\d{4}-\d\d-\d\d\.ndjson$/);
      const lines = (await Deno.readTextFile(await download.path())).trimEnd().split("\n");
      assertEquals(lines.map((line) => JSON.parse(line).id), failed.map(({ id }) => id));
      assertEquals(lines.join().includes(failed[0].recipients![0].emailAddress!), false);
      if (!javaScriptEnabled) return;
      await page.getByText(`Saved all ${failed.length} rows to schedule-102-runs-`).waitFor();
    }));

  Deno.test(`[${kind}] a run: its recipients' addresses are masked until asked for, ${how}`, () =>
    open({}, async (visit) => {
      const { page, services } = visit;
      const [run] = await services.store!.reportSchedules.history(101, { limit: 1 });
      const address = run.recipients![0].emailAddress!;
      await openSignedIn(visit, "/schedules/101?limit=10");
      assertEquals((await page.content()).includes(address), false, "in the list");
      await page.getByRole("rowheader").first().getByRole("link").click();
      await page.waitForURL(`/schedules/101/runs/${run.id}`);
      await page.getByText(`${run.recipients!.length} recipients · `).waitFor();
      assertEquals((await page.content()).includes(address), false, "masked");
      await page.getByRole("link", { name: "Show addresses" }).click();
      await page.getByRole("cell", { name: address }).waitFor();
      await page.getByRole("link", { name: "Mask addresses" }).click();
      await page.getByRole("link", { name: "Show addresses" }).waitFor();
      assertEquals((await page.content()).includes(address), false, "masked again");
    }));
}

Deno.test("[browser] runs: code to copy follows the filter; back and forward show what was there", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/102?limit=10");
    const result = page.getByRole("status").first();
    await page.getByText("Copy as…").click();
    await page.getByText("for await (const run of client.reportSchedules.history(102))").waitFor();
    await page.getByRole("link", { name: "Trigger", exact: true }).press("Enter");
    // The menu was folded when it was left.
    await page.getByText("Copy as…").click();
    // It is there, though a menu that is left is folded.
    await page.getByText("searchRuns(runs, {").waitFor({ state: "attached" });
    await page.getByLabel("Text", { exact: true }).fill("nothing says this");
    await page.getByLabel("Text", { exact: true }).press("Enter");
    await result.getByText("0 of 400 runs").waitFor();
    assertEquals(await page.evaluate(() => document.activeElement?.id), "text");
    await page.goBack();
    await result.getByText("400 runs", { exact: true }).waitFor();
    assertEquals(await page.getByLabel("Text", { exact: true }).inputValue(), "");
    await page.goForward();
    await result.getByText("0 of 400 runs").waitFor();
    assertEquals(await page.getByLabel("Text", { exact: true }).inputValue(), "nothing says this");
  }));

Deno.test("[e2e] runs: a schedule that never ran, and one that nobody knows, say so", () =>
  withPlainPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/107");
    await page.getByText("Has never run.").waitFor();
    await page.goto("/schedules/999");
    assertMatch(await page.getByRole("alert").textContent(), /no report schedule 999/);
    await page.goto("/schedules/101/runs/1");
    assertMatch(await page.getByRole("alert").textContent(), /Schedule 101 has no run 1/);
  }));
