import { assert, assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { openSignedIn, testSteps, untilLive, type Visit } from "../visit.ts";

async function boxOf(element: Locator) {
  return (await element.boundingBox())!;
}

/** The first file set of the sample, in the usual order. */
async function firstFileSet({ services }: Visit) {
  const { fileSets: [{ id, name, owner }] } = await services.store!.fileSets.search({}, {
    limit: 1,
  });
  return { id, name: name!, owner: owner! };
}

/** How often the page's parts have moved by themselves so far, as browsers count it. */
function shiftsOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    new Promise<number>((resolve) => {
      let count = 0;
      const observer = new PerformanceObserver((list) => void (count += list.getEntries().length));
      observer.observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() =>
        requestAnimationFrame(() => resolve(count + observer.takeRecords().length))
      );
    })
  );
}

testSteps("[browser] drawer: on a phone", { width: 360 }, {
  "rows are cards, and it is a sheet above the bar": async (visit) => {
    const { page } = visit;
    const first = await firstFileSet(visit);
    await openSignedIn(visit, "/filesets?limit=25");
    // It still is a table, with a name for each row and a label for each fact.
    const card = page.getByRole("row").filter({ hasText: first.name });
    const name = card.getByRole("rowheader", { name: first.name });
    const owner = card.getByRole("cell", { name: first.owner });
    assert((await boxOf(name)).y < (await boxOf(owner)).y, "the name is first");
    const label = await owner.evaluate((cell) => getComputedStyle(cell, "::before").content);
    assertEquals(label, '"Owner "');
    await page.goto(`/filesets?limit=25&open=${first.id}`);
    await untilLive(page);
    const sheet = page.getByRole("dialog", { name: first.name });
    const { x, y, width, height } = await boxOf(sheet);
    assertEquals([x, width, y + height], [0, 360, 800 - 56]);
    await sheet.getByRole("link", { name: "Close" }).click();
    await sheet.waitFor({ state: "detached" });
    await name.getByRole("link").and(page.locator(":focus")).waitFor();
  },

  "scripts that arrive move nothing": async (visit) => {
    const { page } = visit;
    const first = await firstFileSet(visit);
    let shown = Promise.withResolvers<void>();
    await page.route("**/*", async (route) => {
      if (/\/assets\/.*\.js/.test(route.request().url())) await shown.promise;
      await route.continue();
    });
    for (const path of [`/filesets?limit=25&open=${first.id}`, "/schedules/102#runs"]) {
      shown = Promise.withResolvers();
      // A slow browser draws a page in parts, which move too: scripts wait for the last one.
      await page.goto(path, { waitUntil: "commit" });
      await page.waitForFunction(() => document.readyState === "interactive");
      const before = await shiftsOf(page);
      shown.resolve();
      await untilLive(page);
      assertEquals(await shiftsOf(page), before, path);
    }
  },
});
