import { assertMatch, assertRejects } from "@std/assert";
import { withPage } from "../visit.ts";

Deno.test("[browser] withPage: a page that breaks its policy or throws fails its test", async () => {
  const broken = withPage({}, async ({ page }) => {
    await page.goto("/sign-in");
    await page.evaluate(() => {
      document.body.setAttribute("style", "color: red");
      queueMicrotask(() => {
        throw new Error("planted");
      });
      document.body.innerHTML = "<p>markup</p>";
    }).catch(() => {});
  });
  const { message } = await assertRejects(() => broken, Error);
  for (const complaint of [/Content Security Policy/, /TrustedHTML/, /planted/]) {
    assertMatch(message, complaint);
  }
});
