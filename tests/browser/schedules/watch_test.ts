import { assertEquals, assertMatch } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";
import { WAYS } from "../plain/ways.ts";
import { pollAll, watchSample } from "../sample_watches.ts";

for (const { kind, how, open } of WAYS) {
  Deno.test(`[${kind}] watch list: add, filter and remove schedules, ${how}`, () =>
    open({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/schedules");
      await page.getByText("No schedules are watched yet.").waitFor();
      await page.getByLabel("Schedules to watch").fill("101, 103 102");
      await page.getByRole("button", { name: "Watch", exact: true }).click();
      await page.getByText("3 schedules, most urgent first").waitFor();
      await pollAll(visit.services);
      await page.goto("/schedules");
      const rows = page.getByRole("row");
      const first = (at: number) => rows.nth(at).getByRole("rowheader").textContent();
      assertMatch(await first(1) ?? "", /^102 Open claims/);
      assertMatch(await first(3) ?? "", /^101 Daily revenue/);
      assertMatch(await rows.nth(1).textContent() ?? "", /Failing for 7 runs.*✕ failure/);
      await page.getByLabel("State").selectOption("up");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByText("1 schedule, most urgent first").waitFor();

      await page.goto("/schedules/103");
      await page.getByRole("button", { name: "Unwatch" }).click();
      await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
      await page.getByText("Schedule 103 is no longer watched").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.waitForURL("/schedules/103");
      await page.getByRole("button", { name: "Unwatch" }).click();
      await page.getByText("Schedule 103 is no longer watched").waitFor();
      // It is said once, and what a link says is not believed.
      for (const path of ["/schedules/103", "/schedules/103?unwatched=999&saved=plan"]) {
        await page.goto(path);
        await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
        assertEquals(await page.getByText(/is no longer watched|is saved/).count(), 0, path);
      }
      await page.goto("/schedules");
      await page.getByText("2 schedules, most urgent first").waitFor();
    }));

  Deno.test(`[${kind}] watch list: ranges work, and what could not be read is said, ${how}`, () =>
    open({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/schedules");
      const input = page.getByLabel("Schedules to watch");
      const watch = async (text: string) => {
        await input.fill(text);
        await page.getByRole("button", { name: "Watch", exact: true }).click();
      };
      await watch("abc");
      await page.getByText("Not schedule ids: abc.").waitFor();
      assertEquals(await input.inputValue(), "abc");
      await watch("101-103; 105, x");
      await page.getByText("4 schedules, most urgent first").waitFor();
      await page.getByText("Not schedule ids: x.").waitFor();
      await watch("200-250");
      await page.getByText("1 schedule was left out: at most 50 can be added at a time.").waitFor();
    }));

  Deno.test(`[${kind}] statuses: their meaning is the reader's, ${how}`, () =>
    open({}, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/schedules/102");
      const verdict = page.getByRole("region", { name: "Verdict" });
      assertMatch(
        await verdict.textContent(),
        /DownFailing since .*, 7 runs\. Last sent \d days ago to 6 people/,
      );
      await page.getByRole("link", { name: "Status meanings" }).click();
      await page.getByLabel("failure").selectOption("neutral");
      await page.getByLabel("Add a status").fill("Done");
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL("/schedules/102");
      await page.getByText("The status meanings are saved.").waitFor();
      assertMatch(await verdict.textContent(), /Up/);
      assertEquals(await page.getByText("Failing since").count(), 0);
      const main = page.getByRole("main");
      assertMatch(await main.textContent(), /393 of 393 runs, 7 neutral/);
      await page.getByRole("link", { name: "Status meanings" }).click();
      assertEquals(await page.getByLabel("done").inputValue(), "good");
      await page.getByRole("button", { name: "Reset to success and failure" }).click();
      await page.waitForURL("/schedules/102");
      await page.getByText("7 runs in a row").waitFor();
    }));

  Deno.test(`[${kind}] runs: from a chart to a run, its change, another one and recipients, ${how}`, () =>
    open({}, async (visit) => {
      const { page, services } = visit;
      await openSignedIn(visit, "/schedules/104");
      const chart = page.getByRole("group", { name: "Recipients over time" });
      const points = chart.getByRole("link", { name: /, 39 recipients$/ });
      const href = await points.first().getAttribute("href");
      await points.first().focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(href!);
      await page.getByText("38 recipients in both, 1 added, 0 removed.").waitFor();
      await page.getByRole("link", { name: /^Next: / }).click();
      await page.getByText("39 recipients in both, 0 added, 0 removed.").waitFor();

      await page.getByRole("link", { name: "Compare with another run" }).click();
      await page.getByRole("heading", { name: "Differences" }).waitFor();
      const runs = await services.store!.reportSchedules.history(104, { limit: 400 });
      await page.getByLabel("Before").fill(String(runs[199].id));
      await page.getByRole("button", { name: "Compare runs" }).click();
      await page.getByText(/^16 recipients in both, 23 added, 0 removed/).waitFor();

      await page.getByRole("link", { name: "Recipients", exact: true }).click();
      await page.getByRole("row", { name: /example\.org 12/ }).waitFor();
      const [link] = await page.getByRole("rowheader").getByRole("link").all();
      const name = await link.textContent();
      await link.click();
      await page.getByText(/^[\d,]+ of 400 runs$/).first().waitFor();
      assertEquals(name?.includes("@"), false);
    }));
}

Deno.test("[browser] watch list: refreshed by choice, never while the page is hidden", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await page.clock.install();
    await watchSample(visit.services);
    await openSignedIn(visit, "/schedules");
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("refresh=30")) asked++;
    });
    const seen = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    // At once, so that the links and forms of the part take the choice along.
    const chosen = page.waitForResponse(/refresh=30$/);
    await page.getByLabel("Refresh").selectOption("every 30 s");
    await page.waitForURL("/schedules?refresh=30");
    await chosen;
    assertEquals(asked, 1);
    asked = 0;
    // The browser's own frames are the clock's too: the choice takes effect with the next of them.
    await page.clock.runFor(200);
    const link = page.getByRole("link", { name: "101 Daily revenue" });
    await link.focus();
    await page.clock.fastForward(28_000);
    assertEquals(asked, 0);
    const answer = page.waitForResponse(/refresh=30$/);
    await page.clock.fastForward(3000);
    await answer;
    await page.getByText(/^Refreshed at /).waitFor();
    assertEquals(asked, 1);
    assertEquals(await link.evaluate((link) => link === document.activeElement), true);

    await seen("hidden");
    await page.clock.fastForward(120_000);
    assertEquals(asked, 1);
    const next = page.waitForResponse(/refresh=30$/);
    await seen("visible");
    await page.clock.fastForward(1);
    await next;
    assertEquals(asked, 2);

    // Chosen while an answer is on its way, another rhythm counts, and not the one before as well.
    const released = Promise.withResolvers<void>();
    await page.route(/refresh=30$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    const sent = page.waitForRequest(/refresh=30$/);
    await page.clock.fastForward(31_000);
    await sent;
    await page.getByLabel("Refresh").selectOption("off");
    await page.waitForURL("/schedules");
    await page.clock.runFor(200);
    const late = page.waitForResponse(/refresh=30$/);
    released.resolve();
    await late;
    await page.unroute(/refresh=30$/);
    await page.clock.fastForward(120_000);
    assertEquals(asked, 3);
    await page.getByLabel("Refresh").selectOption("every 30 s");
    await page.waitForURL("/schedules?refresh=30");
    await page.clock.runFor(200);

    // A server that is busy is asked again when it says, and meanwhile the page stays as it is.
    await page.route(
      /refresh=30$/,
      (route) =>
        route.fulfill({ status: 503, contentType: "text/html", headers: { "retry-after": "60" } }),
    );
    await page.clock.fastForward(31_000);
    await page.getByText(/^Refresh failed at .*\. Next attempt at /).waitFor();
    await page.unroute(/refresh=30$/);
    await page.clock.fastForward(31_000);
    await page.getByText(/^Refresh failed at /).waitFor();
    await page.clock.fastForward(31_000);
    await page.getByText(/^Refreshed at /).waitFor();

    // The server now leads to the page for signing in, which is not this one.
    await page.context().clearCookies();
    await page.clock.fastForward(31_000);
    await page.getByText(/^Refresh failed at /).waitFor();
    assertEquals(await link.count(), 1);
  }));
