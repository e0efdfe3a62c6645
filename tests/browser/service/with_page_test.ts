import { assertRejects } from "@std/assert";
import { withPage } from "../visit.ts";

/** What a page does that fails its test, and what is said of it. */
const COMPLAINTS: Readonly<Record<string, readonly [does: () => void, says: string]>> = {
  "breaks its policy": [
    () => document.body.setAttribute("style", "color: red"),
    "Content Security Policy",
  ],
  "turns text into markup": [() => document.body.innerHTML = "<p>planted</p>", "TrustedHTML"],
  "throws": [
    () =>
      queueMicrotask(() => {
        throw new Error("planted");
      }),
    "planted",
  ],
};

for (const [what, [does, says]] of Object.entries(COMPLAINTS)) {
  Deno.test(`[browser] withPage: a page that ${what} fails its test`, async () => {
    const broken = withPage({}, async ({ page }) => {
      await page.goto("/sign-in");
      await page.evaluate(does);
    });
    await assertRejects(() => broken, Error, says);
  });
}
