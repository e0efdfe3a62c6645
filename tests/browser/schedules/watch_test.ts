import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { openSignedIn, withPage } from "../visit.ts";
import { pollAll, watchSample } from "../sample_watches.ts";

Deno.test("[e2e] watch list: add, filter and remove schedules", () =>
  withPlainPage(async ({ page, services }) => {
    await page.open("/schedules");
    assertStringIncludes(page.text, "No schedules are watched yet.");
    page.fill("Schedules to watch", "101, 103 102");
    await page.press("Watch");
    assertStringIncludes(page.text, "3 schedules, most urgent first");
    await pollAll(services);
    await page.open("/schedules");
    const rows = page.text.split("\n").filter((line) => /^10\d /.test(line));
    assertMatch(rows[0], /^102 Open claims.*Failing for 7 runs.*✕ failure/);
    assertMatch(rows[2], /^101 Daily revenue/);
    page.fill("State", "up");
    await page.press("Filter");
    assertStringIncludes(page.text, "1 schedule, most urgent first");

    await page.open("/schedules/103");
    await page.press("Unwatch");
    assertStringIncludes(page.text, "Schedule 103 is no longer watched");
    await page.press("Undo");
    assertEquals(page.path, "/schedules/103");
    await page.press("Unwatch");
    // It is said once, and what a link says is not believed.
    for (const path of ["/schedules/103", "/schedules/103?unwatched=999&saved=plan"]) {
      await page.open(path);
      page.shown.getByRole("button", { name: "Watch" });
      assertEquals(page.text.match(/is no longer watched|is saved/), null, path);
    }
    await page.open("/schedules");
    assertStringIncludes(page.text, "2 schedules, most urgent first");
  }));

Deno.test("[e2e] watch list: ranges work, and what could not be read is said", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/schedules");
    const watch = async (text: string) => {
      page.fill("Schedules to watch", text);
      await page.press("Watch");
    };
    await watch("abc");
    assertStringIncludes(page.text, "Not schedule ids: abc.");
    assertEquals(page.field("Schedules to watch").value, "abc");
    await watch("101-103; 105, x");
    assertStringIncludes(page.text, "4 schedules, most urgent first");
    assertStringIncludes(page.text, "Not schedule ids: x.");
    await watch("200-250");
    assertStringIncludes(
      page.text,
      "Only the first 50 were added: add the others afterwards.",
    );
  }));

Deno.test("[e2e] statuses: their meaning is the reader's", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/schedules/102");
    assertMatch(page.text, /Failing since .*, 7 runs\. Last sent \d days ago to 6 people/);
    await page.press("Status meanings");
    page.fill("failure", "neutral");
    page.fill("Add a status", "Done");
    await page.press("Save");
    assertEquals(page.path, "/schedules/102");
    assertStringIncludes(page.text, "The status meanings are saved.");
    assertEquals(page.text.includes("Failing since"), false);
    assertStringIncludes(page.text, "393 of 393 runs, 7 neutral");
    await page.press("Status meanings");
    assertEquals(page.field(/^done$/).value, "good");
    await page.press("Reset to success and failure");
    assertEquals(page.path, "/schedules/102");
    assertStringIncludes(page.text, "7 runs in a row");
  }));

Deno.test("[e2e] runs: from a chart to a run, its change, another one and recipients", () =>
  withPlainPage(async ({ page, services }) => {
    await page.open("/schedules/104");
    const chart = page.shown.getByRole("group", { name: "Recipients over time" });
    const point = [...chart.querySelectorAll<HTMLElement>("a")].find(({ textContent }) =>
      textContent!.endsWith(", 39 recipients")
    )!;
    await page.press(point);
    assertEquals(page.path, point.getAttribute("href"));
    assertStringIncludes(page.text, "38 recipients in both, 1 added, 0 removed.");
    await page.press(/^Next: /);
    assertStringIncludes(page.text, "39 recipients in both, 0 added, 0 removed.");

    await page.press("Compare with another run");
    assertMatch(page.text, /^Differences$/m);
    const runs = await services.store!.reportSchedules.history(104, { limit: 400 });
    page.fill("Before", String(runs[199].id));
    await page.press("Compare runs");
    assertMatch(page.text, /^16 recipients in both, 23 added, 0 removed/m);

    await page.press("Recipients");
    assertMatch(page.text, /example\.org \| 12/);
    const [row] = page.shown.getAllByRole("rowheader");
    assertEquals(row.textContent!.includes("@"), false);
    await page.press(row.querySelector("a")!);
    assertMatch(page.text, /^[\d,]+ of 400 runs/m);
  }));

Deno.test("[browser] watch list: refreshed by choice, never while the page is hidden", () =>
  withPage({ tolerated: /503/ }, async (visit) => {
    const { page } = visit;
    await page.clock.install({ time: Date.now() });
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
