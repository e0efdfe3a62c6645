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

Deno.test("[browser] drawer: without JavaScript, the server draws it and links lead on", () =>
  withPage({ javaScriptEnabled: false }, async (visit) => {
    const { page } = visit;
    const [first, second] = await firstFileSets(visit);
    await openSignedIn(visit, `/filesets?limit=25&open=${first.id}`);
    const drawer = page.getByRole("dialog", { name: first.name });
    const { x, width } = await boxOf(drawer);
    assertEquals([width, Math.round(x + width)], [24 * 14, 1280 - 14]);
    assertEquals(await page.getByRole("columnheader").count(), 5);
    const isDisabled = await drawer.getByRole("link", { name: "Previous" }).isDisabled();
    assertEquals(isDisabled, true);
    await drawer.getByRole("link", { name: "Next" }).click();
    await page.getByRole("dialog", { name: second.name }).getByRole("link", { name: "Close" })
      .click();
    await page.waitForURL("/filesets?limit=25");
    assertEquals(await page.getByRole("dialog").count(), 0);
  }));

testSteps("[browser] drawer: beside the table", {}, {
  "what is not on the page is shown, and what is nowhere is told": async (visit) => {
    const { page } = visit;
    const [first] = await firstFileSets(visit);
    await openSignedIn(visit, `/filesets?offset=100&open=${first.id}`);
    const drawer = page.getByRole("dialog", { name: first.name });
    assertEquals(await drawer.getByRole("link", { name: "Next" }).isDisabled(), true);
    await page.goto("/filesets?open=nothing");
    await page.getByRole("dialog", { name: "nothing" }).getByText("This file set was not found.")
      .waitFor();
  },

  "a click while a first row's rows load is not lost": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?limit=25");
    await untilLive(page);
    const { release } = await holdSearches(page);
    const search = page.waitForRequest(/\/filesets\/search/);
    await page.getByRole("rowheader").first().getByRole("link").click();
    await search;
    const nextPage = page.waitForRequest(/\/filesets\/search.*offset=25/);
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await nextPage;
    release();
    await page.getByText("26 to 50 shown").waitFor();
    assertEquals(await page.getByRole("dialog").count(), 0);
    await page.unrouteAll({ behavior: "wait" });
  },

  "of two first rows the later is opened, by one request, which is told": async (visit) => {
    const { page } = visit;
    const [first, second] = await firstFileSets(visit);
    await openSignedIn(visit, "/filesets?limit=25");
    await untilLive(page);
    const { urls, release } = await holdSearches(page);
    for (const { id, name } of [first, second]) {
      await page.getByRole("link", { name }).click();
      await page.waitForURL(`/filesets?limit=25&open=${id}`);
    }
    await page.getByRole("status").getByText("Searching…").waitFor();
    release();
    await page.getByRole("dialog", { name: second.name }).waitFor();
    await page.getByText("1 to 25 shown").waitFor();
    assertEquals(urls.length, 1, urls.join());
    await page.unrouteAll({ behavior: "wait" });
  },

  "what the server drew of the rows stays where they can't be loaded": async (visit) => {
    const { page } = visit;
    const [, second, third] = await firstFileSets(visit);
    await page.route("**/filesets/search**", (route) => route.fulfill({ status: 502 }));
    const refused = page.waitForResponse(/\/filesets\/search/);
    await openSignedIn(visit, `/filesets?limit=25&add=name&open=${second.id}`);
    await refused;
    const suggestions = () =>
      page.getByLabel("Value", { exact: true })
        .evaluate((input) => (input as HTMLInputElement).list!.options.length);
    assertEquals(await suggestions(), 25);
    const served = await page.getByRole("heading", { name: /^Link/, includeHidden: true })
      .elementHandle();
    await page.getByText("Copy as…").click();
    // The browser's own code for it shows that it draws whatever it has.
    await page.waitForFunction((served) => !served!.isConnected, served);
    assertEquals(await suggestions(), 25);
    const next = page.getByRole("dialog", { name: second.name }).getByRole("link", {
      name: "Next",
    });
    assertEquals(await next.isDisabled(), false);
    await page.unrouteAll({ behavior: "wait" });
    // The menu's card lies over the drawer.
    await page.keyboard.press("Escape");
    await next.click();
    await page.getByRole("dialog", { name: third.name }).waitFor();
  },

  "Escape closes it where its rows can't be loaded": async (visit) => {
    const { page } = visit;
    const [first] = await firstFileSets(visit);
    await page.route("**/filesets/search**", (route) => route.fulfill({ status: 502 }));
    const refused = page.waitForResponse(/\/filesets\/search/);
    await openSignedIn(visit, `/filesets?limit=25&open=${first.id}`);
    await refused;
    await page.keyboard.press("Escape");
    await page.waitForURL("/filesets?limit=25");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assertEquals(await page.getByRole("row").count(), 26);
  },

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
      if (javaScriptEnabled) await untilDrawnAgain(page);
      const sheet = page.getByRole("dialog", { name: first.name });
      const { x, y, width, height } = await boxOf(sheet);
      assertEquals([x, width, y + height], [0, 360, 800]);
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

/** Holds the page's searches; gives the URLs of those that were made, and what lets them go on. */
async function holdSearches(page: Page) {
  const urls: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route("**/filesets/search**", async (route) => {
    urls.push(route.request().url());
    await held.promise;
    await route.continue().catch(() => {});
  });
  return { urls, release: held.resolve };
}

/** Waits until the browser has drawn the drawer that was open, for which it loads the rows. */
function untilDrawnAgain(page: Page): Promise<void> {
  return page.getByRole("dialog").getByRole("button", { name: "Copy id" }).waitFor();
}

/** How far the page's parts have moved by themselves, as browsers count it. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    new Promise<number>((resolve) => {
      let sum = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
      });
      observer.observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
    })
  );
}

for (const width of [1280, 360]) {
  Deno.test(`[browser] drawer: scripts that arrive move nothing, ${width} px`, () =>
    withPage({ width }, async (visit) => {
      const { page } = visit;
      const [first] = await firstFileSets(visit);
      await openSignedIn(visit, "/preferences");
      const pages = [
        [`/filesets?limit=25&open=${first.id}`, untilDrawnAgain],
        ["/schedules/102#runs", untilLive],
      ] as const;
      for (const [path, untilSettled] of pages) {
        await page.goto(path);
        await untilSettled(page);
        await page.getByText("Saved views").first().waitFor();
        assertEquals(await shiftOf(page), 0, path);
      }
    }));
}
