import { assertEquals } from "@std/assert";
import { openSignedIn, testSteps, untilLive, violationsOf } from "../visit.ts";

testSteps("[browser] pages: are searched, walked by keys and changed in place", {}, {
  "a search is paged and sorted, and the browser goes back": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?limit=25");
    const firstName = await page.getByRole("rowheader").first().textContent();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/26 to 50 shown/).waitFor();
    const updated = page.getByRole("columnheader", { name: /^Updated/ }).first();
    await updated.getByRole("link").click();
    await page.getByText(/1 to 25 shown/).waitFor();
    assertEquals(await updated.getAttribute("aria-sort"), "ascending");
    await page.goBack();
    await page.getByText(/26 to 50 shown/).waitFor();
    await page.goBack();
    await page.getByText(/1 to 25 shown/).waitFor();
    assertEquals(await page.getByRole("rowheader").first().textContent(), firstName);
  },

  "a plan's errors and planned runs are shown while typing, and the focus stays": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/schedules/101/plan");
    await page.getByText("Change…").click();
    const cron = page.getByLabel("Cron expressions");
    const place = async () => (await cron.boundingBox())!.y;
    const before = await place();
    await cron.fill("0 25 * * *");
    await page.getByText("the hour is 0 to 23").waitFor();
    assertEquals(await cron.getAttribute("aria-invalid"), "true");
    await cron.fill("0 3 * * *");
    await page.getByText("Due daily at 03:00").waitFor();
    await page.getByText("Not saved yet").waitFor();
    assertEquals(await place(), before);
    assertEquals(await cron.getAttribute("aria-invalid"), null);
    assertEquals(await page.evaluate(() => document.activeElement?.id), "cron");
    assertEquals(new URL(page.url()).search, "");
    assertEquals(await violationsOf(page), []);
  },

  "nothing hides what has the focus, however small the window": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    for (const [width, height] of [[320, 256], [800, 600]]) {
      await page.setViewportSize({ width, height });
      await page.goto("/filesets?q=owner:Legal&limit=5");
      await untilLive(page);
      /** Goes on by Tab from what has the focus, as often as asked; each stop is in sight. */
      const walk = async (stops: number): Promise<string[]> => {
        const names = [];
        for (let stop = 0; stop < stops; stop++) {
          await page.keyboard.press("Tab");
          const { name, hidden } = await page.evaluate(hiddenFocus);
          assertEquals(hidden, null, `${name} at ${width} × ${height} px`);
          names.push(name);
        }
        return names;
      };
      assertEquals((await walk(30))[0], "Skip to content");
      const names = await page.getByRole("rowheader").allTextContents();
      await page.getByRole("link", { name: names[0] }).focus();
      await page.keyboard.press("j");
      await page.getByRole("link", { name: names[1] }).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: names[1] }).waitFor();
      await page.locator("[data-opened]:focus").waitFor();
      const inDrawer = await walk(14);
      assertEquals(inDrawer.slice(0, 3), ["Open page", "Copy id", "Only owner Legal"]);
      assertEquals(inDrawer.slice(-2), ["Next", "Last"]);
      // The page's end, and then its top.
      await walk(15);
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: names[1] }).and(page.locator(":focus")).waitFor();

      await page.keyboard.press("/");
      await page.locator("input:focus").waitFor();
      assertEquals((await walk(5)).at(-1), "Export, columns");
      await page.keyboard.press("Enter");
      assertEquals(await walk(1), ["Copy link"]);
      await page.context().grantPermissions(["clipboard-write"]);
      await page.keyboard.press("Enter");
      await page.getByText("Copied").waitFor();
      assertEquals(await walk(1), ["CSV"]);
      const download = page.waitForEvent("download");
      await page.keyboard.press("Enter");
      await download;
      await page.getByText("Saved all 375 rows").waitFor();
      assertEquals(await walk(3), ["NDJSON", "JSON", "signed evidence"]);
      assertEquals((await walk(17)).at(-1), "Narrow down");
      assertEquals(await page.locator(".menu[open]").count(), 0);
    }
  },

  "a menu that is left is folded, one below a dialog stays, and a slash leads to the query": async (
    visit,
  ) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?limit=5");
    await untilLive(page);
    const open = page.locator(".menu[open] summary");
    await page.getByText("Export, columns").click();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    assertEquals(await open.allTextContents(), ["Export, columns"]);
    await page.getByText("5,000 file sets").click();
    assertEquals(await open.count(), 0);
    await page.keyboard.press("/");
    await page.keyboard.type("owner");
    assertEquals(await page.getByLabel("Query").inputValue(), "owner");
  },
});

/** What has the focus, and what hides it, if anything. Runs in the page. */
function hiddenFocus(): { name: string; hidden: string | null } {
  const element = document.activeElement!;
  const { left, top, width, height } = element.getBoundingClientRect();
  const name = element.getAttribute("aria-label") ?? element.textContent!.trim();
  // What is higher than the window is in sight by a part of it; the page itself is its own end.
  if (height > innerHeight || element === document.body) return { name, hidden: null };
  const seen = document.elementFromPoint(left + Math.min(width / 2, 8), top + height / 2);
  const isSeen = seen && (element.contains(seen) || seen.contains(element));
  return { name, hidden: isSeen ? null : seen?.outerHTML.slice(0, 100) ?? "the window's edge" };
}
