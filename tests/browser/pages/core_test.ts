import { assertEquals } from "@std/assert";
import { bundled } from "../../lib/core/bundled.ts";
import { withPage } from "../visit.ts";

Deno.test("[browser] createClient: walks, retries, aborts and redacts in a real browser", async () => {
  const code = await bundled("browser.ts");
  await withPage({}, async ({ page, origin }) => {
    // A page of its own, under an address that lends it a secure context.
    await page.route(
      `${origin}/core/**`,
      (route) =>
        route.request().url().endsWith(".js")
          ? route.fulfill({ contentType: "text/javascript", body: code })
          : route.fulfill({
            contentType: "text/html",
            body: `<link rel="icon" href="data:,"><script type="module" src="checks.js"></script>`,
          }),
    );
    await page.goto(`${origin}/core/`);
    await page.waitForFunction(() => "coreResults" in globalThis);
    const results = await page.evaluate(() =>
      (globalThis as unknown as { coreResults: unknown[] }).coreResults
    );
    assertEquals(results, [250, "you sent [redacted]", "timeout", "abort"]);
    await page.unrouteAll();
  });
});
