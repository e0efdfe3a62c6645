import { assert, assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../eventually.ts";
import {
  openSignedIn,
  testSteps,
  untilLive,
  violationsOf,
  type Visit,
  withPage,
} from "../visit.ts";

async function boxOf(element: Locator) {
  return (await element.boundingBox())!;
}

/** The first file sets of the sample, in their usual order. */
async function firstFileSets({ services }: Visit) {
  const { fileSets } = await services.store!.fileSets.search({}, { limit: 3 });
  return fileSets.map(({ id, name, owner }) => ({ id, name: name!, owner: owner! }));
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

testSteps("[browser] drawer: beside the table", {}, {
  "opening and closing moves nothing but the table's edge": async (visit) => {
    const { page } = visit;
    const [first] = await firstFileSets(visit);
    await openSignedIn(visit, "/filesets?limit=25");
    await untilLive(page);
    const places = async () => {
      const { x, y } = await boxOf(page.getByRole("rowheader").nth(2));
      return [x, y, await page.getByRole("columnheader").count()];
    };
    const before = await places();
    await page.getByRole("link", { name: first.name }).click();
    await page.getByRole("dialog", { name: first.name }).waitFor();
    assertEquals(await places(), before);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assertEquals(await places(), before);
  },
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] drawer: at 360 px rows are cards and it is a sheet, ${how}`, () =>
    withPage({ width: 360, javaScriptEnabled }, async (visit) => {
      const { page } = visit;
      const [first] = await firstFileSets(visit);
      await openSignedIn(visit, "/filesets?limit=25");
      assertEquals(await widthOf(page), 360);
      // It still is a table, with a name for each row and a label for each fact.
      const card = page.getByRole("row").filter({ hasText: first.name });
      const name = card.getByRole("rowheader", { name: first.name });
      const owner = card.getByRole("cell", { name: first.owner });
      assert((await boxOf(name)).y < (await boxOf(owner)).y, "the name is first");
      const label = await owner.evaluate((cell) => getComputedStyle(cell, "::before").content);
      assertEquals(label, '"Owner "');
      await page.goto(`/filesets?limit=25&open=${first.id}`);
      if (javaScriptEnabled) await untilLive(page);
      const sheet = page.getByRole("dialog", { name: first.name });
      const { x, y, width, height } = await boxOf(sheet);
      // Above the bar with the sections.
      assertEquals([x, width, y + height], [0, 360, 800 - 56]);
      assertEquals(await widthOf(page), 360);
      await sheet.getByRole("link", { name: "Close" }).click();
      await sheet.waitFor({ state: "detached" });
      if (javaScriptEnabled) {
        const link = name.getByRole("link");
        await eventually(async () =>
          assert(await link.evaluate((element) => element === document.activeElement))
        );
        assertEquals(await violationsOf(page), []);
      }
    }));
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

Deno.test("[browser] drawer: scripts that arrive move nothing on a phone", () =>
  withPage({ width: 360 }, async (visit) => {
    const { page } = visit;
    const [first] = await firstFileSets(visit);
    await openSignedIn(visit, "/preferences");
    let shown = Promise.withResolvers<void>();
    await page.route("**/*", async (route) => {
      if (route.request().resourceType() === "script") await shown.promise;
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
  }));
