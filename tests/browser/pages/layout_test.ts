import { assert, assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { openSignedIn, testSteps, untilLive, withPage } from "../visit.ts";

async function boxOf(element: Locator) {
  return (await element.boundingBox())!;
}

/** The names of tables that are wider than their place. */
const wideTables = (page: Page) =>
  page.locator(".scroll").evaluateAll((tables) =>
    tables.filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.ariaLabel)
  );

testSteps("[browser] layout: at 1280 px", { isWatched: true }, {
  "the header is one row, also in windows of half the width": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/102");
    for (const width of [1000, 900, 700]) {
      await page.setViewportSize({ width, height: 800 });
      const { height } = await boxOf(page.getByRole("banner"));
      assert(height <= 53, `${width}: ${height}`);
    }
  },

  "schedules with boxes to choose fit, and lists at twice the size": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules");
    await page.getByLabel("Select 101").waitFor();
    assertEquals(await wideTables(page), []);
    await page.setViewportSize({ width: 640, height: 400 });
    for (const path of ["/", "/people", "/people/1", "/filesets", "/owners"]) {
      await page.goto(path);
      assertEquals(await wideTables(page), [], path);
    }
  },
});

testSteps("[browser] layout: at 360 px", { width: 360, isWatched: true }, {
  "rows are cards, tabs stand in a line, and no table scrolls sideways": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    const paths = ["/schedules", "/schedules/102?limit=5", "/schedules/112/recipients"];
    for (const path of paths) {
      await page.goto(path);
      assertEquals(await wideTables(page), [], path);
      for (const tabs of await page.getByRole("navigation").getByRole("list").all()) {
        const tops = await tabs.getByRole("link").evaluateAll((links) =>
          links.map((link) => link.getBoundingClientRect().top)
        );
        assertEquals(new Set(tops).size, 1, `${path}: ${tops}`);
      }
    }
    // Those that are not seen keep the others below their headings.
    await page.goto("/schedules");
    const cells = await page.getByRole("row").nth(1).getByRole("cell").count();
    assertEquals(cells, await page.getByRole("columnheader").count() - 1);
    await page.goto("/schedules/102?limit=20");
    const heights = await page.getByRole("region", { name: "Runs" }).getByRole("row")
      .evaluateAll((rows) => rows.slice(1).map((row) => row.getBoundingClientRect().height));
    assert(Math.max(...heights) < 110, `a run is a few lines: ${heights}`);
  },

  "each list begins within 300 px, and pages are a few screens long": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    const begins = async (path: string) => {
      await page.goto(path);
      const { y } = await boxOf(page.locator("main :is(.scroll, .empty, article)").first());
      assert(y <= 300, `${path}: ${y}`);
    };
    const lists = ["/filesets", "/filesets?q=owner:Legal", "/people", "/people/worklist"];
    const others = ["/owners", "/schedules", "/incidents", "/incidents/deliveries"];
    for (const path of [...lists, ...others]) await begins(path);
    await page.setViewportSize({ width: 390, height: 800 });
    await begins("/schedules/112/recipients");
    const badge = await boxOf(page.getByText("⚠ Outside"));
    const menu = await boxOf(page.getByLabel("More: name, owner, unwatch"));
    assert(menu.y + menu.height <= badge.y + 4, "the menu covers the badge");
    await page.goto("/");
    // The answer, the day and what needs somebody come first.
    const day = page.getByRole("img", { name: /^Today's runs: / });
    for (const shown of [day, page.getByRole("article").first()]) {
      const { y, height } = await boxOf(shown);
      assert(y + height <= 800, `${y} ${height}`);
    }
    for (const path of ["/", "/schedules/101/plan"]) {
      await page.goto(path);
      const shown = await page.evaluate(() => document.documentElement.scrollHeight);
      assert(shown <= 3500, `${path}: ${shown}`);
    }
  },

  "file sets are cards, and an open one is a sheet above the bar": async (visit) => {
    const { page, services } = visit;
    const { fileSets: [{ id, name, owner }] } = await services.store!.fileSets.search({}, {
      limit: 1,
    });
    await openSignedIn(visit, "/filesets?limit=25");
    // It still is a table, with a name for each row and a label for each fact.
    const card = page.getByRole("row").filter({ hasText: name! });
    const heading = card.getByRole("rowheader", { name: name! });
    const cell = card.getByRole("cell", { name: owner! });
    assert((await boxOf(heading)).y < (await boxOf(cell)).y, "the name is first");
    const label = await cell.evaluate((cell) => getComputedStyle(cell, "::before").content);
    assertEquals(label, '"Owner "');
    await page.goto(`/filesets?limit=25&open=${id}`);
    await untilLive(page);
    const sheet = page.getByRole("dialog", { name: name! });
    const { x, y, width, height } = await boxOf(sheet);
    assertEquals([x, width, y + height], [0, 360, 800 - 56]);
    await sheet.getByRole("link", { name: "Close" }).click();
    await sheet.waitFor({ state: "detached" });
    await heading.getByRole("link").and(page.locator(":focus")).waitFor();
  },

  "the menu of a row opens within the window": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/");
    await page.getByLabel(/^More for /).first().click();
    const { x, width } = await boxOf(page.getByRole("button", { name: /^Mute 24 h/ }).first());
    assert(x >= 0 && x + width <= 360, JSON.stringify({ x, width }));
  },
});

Deno.test("[browser] layout: forced colours keep the current tab, and every mark of a run", () =>
  withPage({ isWatched: true }, async (visit) => {
    const { page } = visit;
    await page.emulateMedia({ forcedColors: "active" });
    await openSignedIn(visit, "/");
    const tabs = page.getByRole("navigation", { name: "Main" });
    for (const [name, outline] of [["Today", "solid"], ["Schedules", "none"]]) {
      const style = await tabs.getByRole("link", { name })
        .evaluate((node) => getComputedStyle(node).outlineStyle);
      assertEquals([name, style], [name, outline]);
    }
    // They differ by shape, which needs a colour that can be seen.
    for (const group of [".day", ".watch .strip", ".strip-legend"]) {
      const marks = page.locator(group).locator("path:is(.good, .late, .bad, .neutral)");
      const fills = await marks.evaluateAll((all) =>
        all.map((mark) => getComputedStyle(mark).fill)
      );
      assertEquals([group, ...new Set(fills)], [group, "rgb(0, 0, 0)"]);
    }
  }));

Deno.test("[browser] layout: printed pages have no buttons, and tables as wide as the paper", () =>
  withPage({ isWatched: true, width: 718 }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    await page.emulateMedia({ media: "print" });
    for (const path of ["/", "/schedules", "/service", "/schedules/102", "/people", "/filesets"]) {
      await page.goto(path);
      const controls = "main :is(button, .button, summary.icon, label, div[role=group])";
      assertEquals(await page.locator(controls).filter({ visible: true }).count(), 0, path);
      assertEquals(await wideTables(page), [], path);
      await page.getByRole("table").first().waitFor();
    }
    // What a list leaves out is printed, and what it is filtered by.
    await page.getByText("1–100 of 5,000").waitFor();
    await page.goto("/?state=failing");
    const chosen = page.getByRole("list", { name: "Schedules by state" }).getByRole("link");
    assertEquals(await chosen.filter({ visible: true }).allTextContents(), ["Failing 1"]);
  }));
