import { assertEquals, assertMatch } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

Deno.test("[browser] preferences: zone, theme and density are kept and shown", () =>
  withPage({ colorScheme: "light" }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/preferences");
    const zone = page.getByLabel("Time zone");
    await zone.fill("Mars/Olympus");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/is not a time zone/).waitFor();
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
    const hours = new Date(exact!).getUTCHours() - Number(/(\d\d):\d\d$/.exec(shown!)![1]);
    assertEquals((hours + 24) % 24, 5);
    const scheme = await page.evaluate(() =>
      getComputedStyle(document.documentElement).colorScheme
    );
    assertEquals(scheme, "dark");
  }));
