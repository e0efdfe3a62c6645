import { assertEquals, assertMatch } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] preferences: zone, theme and density are kept and shown, ${how}`, () =>
    withPage({ javaScriptEnabled, colorScheme: "light" }, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, "/preferences");
      const zone = page.getByLabel("Time zone");
      await zone.fill("Mars/Olympus");
      await page.getByRole("button", { name: "Save" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /is not a time zone/);
      await zone.fill("America/New_York");
      await page.getByLabel("Theme").selectOption("dark");
      await page.getByLabel("Row spacing").selectOption("compact");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Your preferences are saved in this browser.").waitFor();
      await page.goto("/schedules/101");
      assertMatch(await page.getByRole("columnheader").first().textContent(), /New York time/);
      const at = page.getByRole("region", { name: "Runs" }).getByRole("rowheader").first()
        .getByRole("time");
      const shown = await at.textContent();
      const exact = await at.getAttribute("title");
      const hours = (Date.parse(exact!) - Date.parse(`${shown!.replace(" ", "T")}Z`)) / 3_600_000;
      assertEquals(Math.round(hours), 5);
      const scheme = await page.evaluate(() =>
        getComputedStyle(document.documentElement).colorScheme
      );
      assertEquals(scheme, "dark");
    }));
}

Deno.test("[browser] preferences: the browser's own zone is offered", () =>
  withPage({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/preferences");
    await page.getByRole("button", { name: "Use browser time zone: America/New_York" }).click();
    assertEquals(
      await page.getByLabel("Time zone").inputValue(),
      "America/New_York",
    );
  }));
