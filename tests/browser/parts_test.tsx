/** Every part in all its states, in a real browser: light and dark, narrow, enlarged, and in print. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { PARTS } from "../components/parts.tsx";
import { htmlOf } from "../components/rendered.ts";
import { violationsOf, type Visit, withPage } from "./visit.ts";

/** Opens a page with all parts, which has the style sheets of the built app. */
async function openParts({ page, origin }: Visit): Promise<void> {
  const signIn = await (await fetch(`${origin}/sign-in`)).text();
  const styles = signIn.match(/<link[^>]*rel="stylesheet"[^>]*>/g)!.join("");
  const sections = Object.entries(PARTS).map(([name, part]) => {
    const ids = /file|search|facets|menu/.test(name) ? "file-sets" : "runs";
    return `<div class="${ids}" data-part="${name}">${htmlOf(part, "Europe/Berlin")}</div>`;
  });
  const body = `<div class="shell"><main tabindex="-1"><h1>Parts</h1>${
    sections.join("<hr>")
  }</main></div>`;
  await page.route(`${origin}/parts`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parts</title>${styles}` +
        `<link rel="icon" href="data:,"></head><body>${body}</body></html>`,
    }));
  await page.goto(`${origin}/parts`);
}

async function widthOf(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth);
}

/** States that stand once on a page, and here beside each other. */
const ONCE = /landmark|duplicate-id|heading-order|region/;

Deno.test("[browser] parts: axe finds no violation, none is cut off, and print shows no controls", () =>
  withPage({ colorScheme: "light" }, async (visit) => {
    const { page } = visit;
    await openParts(visit);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await violationsOf(page, colorScheme === "dark" ? "only" : "too");
      assertEquals(found.filter((violation) => !ONCE.test(violation)), [], colorScheme);
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        assertEquals(await widthOf(page), width);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => document.documentElement.style.fontSize = "200%");
    assertEquals(await widthOf(page), 1280, "at 200 %");
    await page.emulateMedia({ media: "print" });
    const controls = "button, input, select:not(td > select), textarea, .button, .menu, .pager a";
    const shown = page.locator(controls).filter({ visible: true });
    assertEquals(await shown.evaluateAll((all) => all.map((each) => each.outerHTML)), []);
  }));
