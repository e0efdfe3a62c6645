import { assertEquals, assertRejects } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

Deno.test("[browser] pages: no script turns text into markup", async () => {
  const tried = withPage({}, async ({ page }) => {
    await page.goto("/sign-in");
    await page.evaluate(() => {
      document.body.innerHTML = "<p>planted</p>";
    });
  });
  await assertRejects(() => tried, Error, "TrustedHTML");
});

Deno.test("[browser] pages: each is isolated from other origins", () =>
  withPage({}, async (visit) => {
    await openSignedIn(visit);
    for (const path of ["/sign-in", "/filesets", "/schedules/101", "/preferences", "/nowhere"]) {
      await visit.page.goto(path);
      assertEquals(await visit.page.evaluate(() => crossOriginIsolated), true, path);
    }
  }));
