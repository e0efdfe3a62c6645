import { assertEquals, assertMatch } from "@std/assert";
import { signIn, withPage } from "./visit.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] preferences: zone, theme and density are kept and shown, ${how}`, () =>
    withPage({ javaScriptEnabled, colorScheme: "light" }, async (visit) => {
      const { page } = visit;
      await signIn(visit, "/preferences");
      const zone = page.getByLabel("Zone that times are shown in");
      await zone.fill("Mars/Olympus");
      await page.getByRole("button", { name: "Save" }).click();
      assertMatch(await page.getByRole("alert").textContent(), /is not the name of a zone/);
      await zone.fill("America/New_York");
      await page.getByLabel("Light or dark").selectOption("dark");
      await page.getByLabel("Rows of tables").selectOption("compact");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved for this browser.").waitFor();
      await page.goto("/schedules/101");
      assertMatch(await page.getByRole("columnheader").first().textContent(), /New York time/);
      const at = page.getByRole("rowheader").first().getByRole("time");
      const shown = await at.textContent();
      const exact = await at.getAttribute("datetime");
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
    await signIn(visit, "/preferences");
    await page.getByRole("button", { name: "Use this browser's: America/New_York" }).click();
    assertEquals(
      await page.getByLabel("Zone that times are shown in").inputValue(),
      "America/New_York",
    );
  }));
