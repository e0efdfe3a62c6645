import { assert, assertEquals } from "@std/assert";
import type { Locator } from "playwright-core";
import { watchSample } from "../sample_watches.ts";
import { openSignedIn, testSteps, withPage } from "../visit.ts";

async function boxOf(element: Locator) {
  return (await element.boundingBox())!;
}

testSteps("[browser] layout: at 1280 px", {}, {
  "facets are beside the table, and folded above it where it is narrow": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit);
    const facet = page.getByRole("region", { name: "Owner" });
    const table = page.getByRole("region", { name: "File sets" });
    assert((await boxOf(table)).width > 900, "the table takes the rest");
    assertEquals((await boxOf(facet)).y, (await boxOf(table)).y);
    await page.setViewportSize({ width: 600, height: 800 });
    assertEquals(await facet.isVisible(), false);
    await page.getByText("Narrow down").click();
    const box = await boxOf(facet);
    assert(box.y + box.height <= (await boxOf(table)).y);
  },

  "table headers stay in sight while the table scrolls": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets");
    const last = page.getByRole("rowheader").last();
    await last.scrollIntoViewIfNeeded();
    const [header, row] = [await boxOf(page.getByRole("columnheader").first()), await boxOf(last)];
    assert(header.y >= 0 && header.y + header.height <= row.y, JSON.stringify({ header, row }));
    const atHeader = await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x + 20, y + 10)?.closest("th")?.textContent,
      header,
    );
    assertEquals(atHeader, "Name");
  },

  "the runs of a schedule begin below its facts and a chart, and all grows with the text": async (
    visit,
  ) => {
    const { page, services } = visit;
    await watchSample(services);
    await openSignedIn(visit, "/schedules/101");
    for (const id of [101, 102, 103, 105, 112]) {
      await page.goto(`/schedules/${id}`);
      const { y } = await boxOf(page.getByRole("heading", { name: "Runs", exact: true }));
      assert(y < 860, `${id}: ${y}`);
    }
    const drawing = page.getByRole("group", { name: /^Planned runs/ });
    const { height } = await boxOf(drawing);
    await page.evaluate(() => document.documentElement.style.fontSize = "200%");
    assertEquals(Math.round((await boxOf(drawing)).height), Math.round(2 * height));
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
  },

  "code to copy opens over the table and does not move it": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets");
    const table = page.getByRole("region", { name: "File sets" });
    const { y } = await boxOf(table);
    await page.getByText("Export, columns").click();
    await page.getByRole("heading", { name: /^curl/ }).waitFor();
    assertEquals((await boxOf(table)).y, y);
  },
});

testSteps("[browser] layout: at 360 px", { width: 360 }, {
  "a long status name wraps, 360 px": async (visit) => {
    const { page } = visit;
    const status = "waiting-for-approval".repeat(4);
    await openSignedIn(visit, `/schedules/102?q=status:${status}`);
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const shown = await boxOf(page.getByText(`status is ${status}`));
    assert(shown.x + shown.width <= 360, JSON.stringify(shown));
    const said = { actor: { name: "Ada", known: "typed" }, now: Date.now() } as const;
    await visit.services.records!.statuses.say({ [status.replaceAll("-", "_")]: "bad" }, said);
    await page.goto("/service");
    assertEquals(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const box = await boxOf(page.getByText(/^(waiting.for.approval){4}$/).first());
    assert(box.x + box.width <= 360, JSON.stringify(box));
  },

  "rows are cards at 360 px, tabs stand in a line, and nothing scrolls sideways": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    await watchSample(visit.services);
    const paths = [
      "/incidents",
      "/schedules",
      "/schedules/102?limit=5",
      "/schedules/101/plan",
      "/schedules/112/recipients",
    ];
    for (const path of paths) {
      await page.goto(path);
      const wide = await page.getByRole("region").evaluateAll((regions) =>
        regions.filter((region) =>
          region.scrollWidth > region.clientWidth && region.classList.contains("scroll")
        ).map((region) => region.ariaLabel)
      );
      assertEquals(wide, [], path);
      for (const tabs of await page.getByRole("navigation").getByRole("list").all()) {
        const tops = await tabs.getByRole("link").evaluateAll((links) =>
          links.map((link) => link.getBoundingClientRect().top)
        );
        assertEquals(new Set(tops).size, 1, `${path}: ${tops}`);
      }
    }
    await page.goto("/schedules/102?limit=20");
    const heights = await page.getByRole("region", { name: "Runs" }).getByRole("row")
      .evaluateAll((rows) => rows.slice(1).map((row) => row.getBoundingClientRect().height));
    assert(Math.max(...heights) < 110, `a run is a few lines: ${heights}`);
    const label = await page.getByRole("region", { name: "Runs" }).getByText("0 bytes").first()
      .evaluate((cell) => getComputedStyle(cell, "::before").content);
    assertEquals(label, '"Attachment size "');
  },

  "at 360 px each list begins within 300 px": async (visit) => {
    const { page } = visit;
    await watchSample(visit.services);
    await openSignedIn(visit, "/nowhere");
    for (const path of ["/filesets", "/people", "/people/worklist", "/owners", "/schedules"]) {
      await page.goto(path);
      const { y } = await boxOf(page.locator("main :is(.scroll, .empty)").first());
      assert(y <= 300, `${path}: ${y}`);
    }
  },

  "at 360 px a schedule's lists are a few screens long": async (visit) => {
    const { page, services } = visit;
    await watchSample(services);
    await openSignedIn(visit, "/nowhere");
    const [run] = await services.store!.reportSchedules.history(104, { limit: 1 });
    const most = {
      "/": 3500,
      "/schedules/101/plan": 3500,
      [`/schedules/104/runs/${run.id}`]: 4300,
    };
    for (const [path, height] of Object.entries(most)) {
      await page.goto(path);
      const shown = await page.evaluate(() => document.documentElement.scrollHeight);
      assert(shown <= height, `${path}: ${shown}`);
    }
  },

  "at 360 px the pager stays in sight, and covers no row with the focus": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets");
    const pager = page.getByRole("navigation", { name: "Pages of file sets" });
    const row = page.getByRole("rowheader").nth(40).getByRole("link");
    await row.scrollIntoViewIfNeeded();
    const { y, height } = await boxOf(pager);
    assert(y > 700 && y + height <= 800, JSON.stringify({ y, height }));
    await page.getByRole("rowheader").nth(45).getByRole("link").focus();
    const focused = await boxOf(page.locator(":focus"));
    assert(focused.y + focused.height <= (await boxOf(pager)).y);
  },
});

Deno.test("[browser] layout: forced colours keep the current tab, and every mark of a run", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await page.emulateMedia({ forcedColors: "active" });
    await watchSample(services);
    await openSignedIn(visit, "/");
    const outlineOf = (element: Locator) =>
      element.evaluate((node) => getComputedStyle(node).outlineStyle);
    const tabs = page.getByRole("navigation", { name: "Main" });
    assertEquals(
      await Promise.all(
        ["Today", "Schedules"].map((name) => outlineOf(tabs.getByRole("link", { name }))),
      ),
      ["solid", "none"],
    );
    // They differ by shape, which needs a colour that can be seen.
    for (const group of [".day", ".watch .strip", ".strip-legend"]) {
      const marks = page.locator(group).locator("path:is(.good, .late, .bad, .neutral)");
      const fills = await marks.evaluateAll((all) =>
        all.map((mark) => getComputedStyle(mark).fill)
      );
      assertEquals([group, ...new Set(fills)], [group, "rgb(0, 0, 0)"]);
    }
  }));
