import { assertEquals } from "@std/assert";
import { goTo, openSignedIn, violationsOf, withPage } from "../visit.ts";

Deno.test("[browser] go: by key to the only match, or to the first of several", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await services.records!.watches.add([102, 103], Date.now(), { name: "Open claims" });
    await openSignedIn(visit, "/incidents");
    await goTo(page);
    await page.keyboard.type("4711");
    await page.keyboard.press("Enter");
    await page.waitForURL("/schedules/4711");
    await goTo(page);
    await page.keyboard.type("claims");
    await page.keyboard.press("Enter");
    await page.waitForURL("/go?q=claims");
    assertEquals(await violationsOf(page), []);
    await page.locator("a:focus").filter({ hasText: "102 Open claims" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("/schedules/102");
  }));
