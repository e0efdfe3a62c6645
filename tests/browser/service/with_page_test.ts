import { assertRejects } from "@std/assert";
import type { Page } from "playwright-core";
import { withPage } from "../visit.ts";

/** Does what a page's policy forbids. */
async function breakPolicy(page: Page): Promise<void> {
  await page.evaluate(() => document.body.setAttribute("style", "color: red"));
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  Deno.test(`[browser] withPage: fails a test whose page broke its policy, ${how}`, async () => {
    const broken = withPage({ javaScriptEnabled }, async ({ page }) => {
      await page.goto("/sign-in");
      await breakPolicy(page);
    });
    await assertRejects(() => broken, Error, "Content Security Policy");
  });
}

Deno.test("[browser] withPage: fails a test whose page threw", async () => {
  const broken = withPage({}, async ({ page }) => {
    await page.goto("/sign-in");
    await page.evaluate(() => {
      queueMicrotask(() => {
        throw new Error("planted");
      });
    });
  });
  await assertRejects(() => broken, Error, "planted");
});
