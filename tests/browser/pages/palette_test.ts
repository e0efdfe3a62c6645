import { assertEquals, assertMatch } from "@std/assert";
import { withPlainPage } from "../plain_page.ts";
import { openPalette, openSignedIn, violationsOf, withPage } from "../visit.ts";

const names = (all: readonly string[]) => all.map((name) => name.trim());

Deno.test("[browser] palette: opens by key, finds by name and id, and returns the focus", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await services.records!.watches.add([102], Date.now(), { name: "Open claims" });
    await openSignedIn(visit, "/incidents");
    const severity = page.getByLabel("Severity");
    await severity.focus();
    const palette = await openPalette(page);
    await palette.getByRole("option", { name: /102 Open claims/ }).waitFor();
    assertEquals(await violationsOf(page), []);
    await page.keyboard.type("claims");
    const options = palette.getByRole("option");
    await palette.getByText("1 match").waitFor();
    assertEquals(names(await options.allTextContents()), [
      "102 Open claims unknown",
      "Search file sets for “claims”",
    ]);
    const selected = () => palette.getByRole("option", { selected: true }).textContent();
    await page.keyboard.press("ArrowDown");
    assertMatch(await selected() ?? "", /^Search file sets/);
    await page.keyboard.press("ArrowDown");
    assertMatch(await selected() ?? "", /^102/);
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    assertEquals(await severity.evaluate((element) => element === document.activeElement), true);
    await openPalette(page);
    await page.keyboard.type("4711");
    await page.keyboard.press("Enter");
    await page.waitForURL("/schedules/4711");
  }));

Deno.test("[e2e] palette: without JavaScript, a page with the same search", () =>
  withPlainPage(async ({ page }) => {
    await page.open("/incidents");
    await page.press(/^Go to/);
    page.shown.getByRole("heading", { level: 1, name: "Go to" });
    page.shown.getByRole<HTMLInputElement>("searchbox").value = "file sets";
    await page.press("Go");
    await page.press(page.shown.getAllByRole("link", { name: "File sets" }).at(-1)!);
    assertEquals(page.path, "/filesets");
  }));
