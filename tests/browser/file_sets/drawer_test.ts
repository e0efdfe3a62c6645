import { assert, assertEquals } from "@std/assert";
import type { Locator } from "playwright-core";
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
});
