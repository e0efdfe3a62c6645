import { assertRejects } from "@std/assert";
import { withPage } from "../visit.ts";

Deno.test("[browser] pages: no script turns text into markup", async () => {
  const tried = withPage({}, async ({ page }) => {
    await page.goto("/sign-in");
    await page.evaluate(() => {
      document.body.innerHTML = "<p>planted</p>";
    });
  });
  await assertRejects(() => tried, Error, "TrustedHTML");
});
