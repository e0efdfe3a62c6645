/** The same test in a browser, and on pages without JavaScript that no browser shows. */
import type { Page } from "playwright-core";
import { TOKEN, withApp } from "../../app.ts";
import { type Visit, type VisitOptions, withPage } from "../visit.ts";
import { ORIGIN, PlainPage } from "./page.ts";

/** The two ways in which a test reads pages. */
export const WAYS = [
  { kind: "browser", how: "with JavaScript", javaScriptEnabled: true, open: withPage },
  { kind: "e2e", how: "without JavaScript", javaScriptEnabled: false, open: withPlainPage },
];

/** Runs a test with a page that no browser shows. */
export function withPlainPage(
  { env = {}, standIns }: Pick<VisitOptions, "env" | "standIns">,
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  return withApp(env, async (app) => {
    const page = new PlainPage(app.fetch);
    try {
      await test({ ...app, origin: ORIGIN, token: TOKEN, page: page as unknown as Page });
    } finally {
      await page.close();
    }
  }, standIns);
}
