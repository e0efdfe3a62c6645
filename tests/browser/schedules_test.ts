import { assert, assertEquals, assertMatch } from "@std/assert";
import { signIn, withPage } from "./visit.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] schedules: an id leads to its history, and is remembered, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/schedules");
      await page.getByLabel("Schedule id").fill("1o2");
      await page.getByRole("button", { name: "Show its history" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /whole number/);
      assertEquals(await page.getByLabel("Schedule id").inputValue(), "1o2");
      await page.getByLabel("Schedule id").fill("102");
      await page.getByRole("button", { name: "Show its history" }).click();
      await page.waitForURL("/schedules/102");
      assertEquals(await page.getByRole("heading", { level: 1 }).textContent(), "Open claims");
      await page.getByText("Latest 60 runs: 53 success, 7 failure").waitFor();
      await page.getByRole("link", { name: "Report schedules" }).first().click();
      await page.getByRole("link", { name: "102", exact: true }).click();
      await page.waitForURL("/schedules/102");
    }));

  Deno.test(`[browser] runs: paged, each with its status in words, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/schedules/102");
      const rows = page.getByRole("row");
      assertEquals(await rows.count(), 101);
      assertEquals(await page.getByRole("cell", { name: "failure" }).count(), 7);
      await page.getByRole("link", { name: "Next" }).click();
      await page.waitForURL("/schedules/102?skip=100");
      await page.getByText("101–200").waitFor();
      assertEquals(await page.getByRole("cell", { name: "failure" }).count(), 0);
      // The strip is of the latest runs, whatever page is shown.
      await page.getByText("Latest 60 runs: 53 success, 7 failure").waitFor();
      await page.goto("/schedules/102?skip=400");
      await page.getByText("This page is past the last run.").waitFor();
    }));

  Deno.test(`[browser] runs: filtered by status, trigger and text, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/schedules/110");
      const apply = page.getByRole("button", { name: "Apply" });
      const filtered = async () => {
        if (!javaScriptEnabled) await apply.click();
        return await page.getByRole("row").count() - 1;
      };
      await page.getByLabel("Trigger").selectOption("by hand");
      const byHand = await filtered();
      assert(byHand > 0 && byHand < 100, String(byHand));
      assertEquals(await page.getByRole("cell", { name: "automated" }).count(), 0);
      await page.getByText(`${byHand} of 100 loaded runs`).waitFor();
      assertEquals(new URL(page.url()).search, "?trigger=manual");
      await page.getByLabel("Text").fill("nothing says this");
      assertEquals(await filtered(), -1);
      await page.getByText("None of the loaded runs passes the filter.").waitFor();
      await page.getByLabel("Text").fill("CASH");
      assertEquals(await filtered(), byHand);
      // A reload, or a link that was shared, shows the same.
      await page.reload();
      await page.getByText(`${byHand} of 100 loaded runs`).waitFor();
    }));

  Deno.test(`[browser] a run: its recipients' addresses are masked until asked for, ${how}`, () =>
    withPage({ javaScriptEnabled }, async (visit) => {
      const { page, services } = visit;
      const [run] = await services.store!.reportSchedules.history(101, { limit: 1 });
      const address = run.recipients![0].emailAddress!;
      await signIn(visit, "/schedules/101");
      assertEquals((await page.content()).includes(address), false, "in the list");
      await page.getByRole("rowheader").first().getByRole("link").click();
      await page.waitForURL(`/schedules/101/runs/${run.id}`);
      await page.getByText(`${run.recipients!.length} recipients listed`).waitFor();
      assertEquals((await page.content()).includes(address), false, "masked");
      await page.getByRole("link", { name: "Show the addresses" }).click();
      await page.getByRole("cell", { name: address }).waitFor();
      await page.getByRole("link", { name: "Mask the addresses" }).click();
      await page.getByRole("link", { name: "Show the addresses" }).waitFor();
      assertEquals((await page.content()).includes(address), false, "masked again");
    }));
}

Deno.test("[browser] runs: a schedule that never ran, and one that nobody knows, say so", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await signIn(visit, "/schedules/107");
    await page.getByText("This schedule has never run").waitFor();
    await page.goto("/schedules/999");
    assertMatch(await page.getByRole("alert").textContent(), /no report schedule 999/);
    await page.goto("/schedules/101/runs/1");
    assertMatch(await page.getByRole("alert").textContent(), /Schedule 101 has no run 1/);
  }));
