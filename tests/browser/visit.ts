/** A real browser on a real server: one Chromium for a group of tests, all else for a single test. */
import { tmpdir } from "node:os";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContext,
  chromium as playwright,
  type ConsoleMessage,
  type Page,
  type Route,
} from "playwright-core";
import { type RunningServer, sessionCookie, withServer } from "../app.ts";
import { moveClock } from "../fixed_clock.ts";

/** What a browser test works with. */
export interface Visit extends RunningServer {
  readonly page: Page;
}

/** What may differ between tests. */
interface VisitOptions {
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
  readonly width?: number;
  /** Whether the sample's schedules are watched. */
  readonly isWatched?: boolean;
}

/** Half the size of the package's main file; each checked page has to read it. */
const AXE = new URL("../node_modules/axe-core/axe.min.js", import.meta.url);

let running: Promise<Browser> | undefined;

/** The Chromium of this worker's tests. */
function openBrowser(): Promise<Browser> {
  return running ??= unpackedChromium().then((executablePath) =>
    playwright.launch({
      executablePath,
      // The package's own arguments switch off what tests check, such as web security.
      args: [
        ...["--no-sandbox", "--headless=shell", "--disable-gpu", "--disable-background-networking"],
      ],
    })
  );
}

/** Chromium's path. Test files run side by side: one unpacks it, the others wait. */
async function unpackedChromium(): Promise<string> {
  using lock = await Deno.open(`${tmpdir()}/chromium.lock`, { create: true, write: true });
  await lock.lock(true);
  return await chromium.executablePath();
}

/** Ends the Chromium that {@linkcode withPage} uses. */
export async function closeBrowser(): Promise<void> {
  await (await running)?.close();
  running = undefined;
}

// Opened before the first test, so that no test is blamed for leaving it open.
Deno.test.beforeAll(async () => {
  await openBrowser();
});
Deno.test.afterAll(closeBrowser);

/**
 * Runs a test with a page, and fails it when that one complained, or any that was opened beside it:
 * errors, what the browser itself reports, and what the page's policy forbade.
 */
export async function withPage(
  options: VisitOptions,
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  const { width = 1280, isWatched, ...contextOptions } = options;
  await withServer({}, async (server) => {
    const browser = await openBrowser();
    const context = await browser.newContext({
      ...contextOptions,
      baseURL: server.origin,
      viewport: { width, height: 800 },
      timezoneId: "America/New_York",
    });
    try {
      // Dates such as "this year" mean the same to the page and to its server.
      await context.addInitScript(
        moveClock,
        Date.now() - (performance.timeOrigin + performance.now()),
      );
      // Only a test that fails waits as long; the machine may be busy with other tests.
      context.setDefaultTimeout(120_000);
      const complaintsOf = listen(context);
      const page = await context.newPage();
      await test({ ...server, page });
      const complaints = await complaintsOf();
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join("\n")}`);
    } finally {
      await context.close();
    }
  }, { isWatched });
}

/**
 * Makes a test of steps that share a visit, as a browser's context and an app of its own take longer
 * than most of them. Each begins with an address, leaves nothing behind in what is stored, and finds
 * the window as it was, and no routes.
 */
export function testSteps(
  name: string,
  options: VisitOptions,
  steps: Readonly<Record<string, (visit: Visit) => Promise<void>>>,
): void {
  Deno.test(name, (context) =>
    withPage(options, async (visit) => {
      const { page } = visit;
      const window = page.viewportSize()!;
      for (const [name, step] of Object.entries(steps)) {
        // What the visit has open stays open from one step to the next.
        const shared = { sanitizeOps: false, sanitizeResources: false };
        await context.step({ name, ...shared, fn: () => step(visit) });
        await page.unrouteAll({ behavior: "wait" });
        await page.setViewportSize(window);
      }
    }));
}

/** Collects what every page of a context complains about, until it is asked for. */
function listen(context: BrowserContext): () => Promise<readonly string[]> {
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    if (isComplaint(message)) complaints.push(message.text());
  });
  return async () => {
    // What a page said before it answers this has arrived.
    await Promise.all(context.pages().map((page) => page.evaluate("0")));
    return complaints;
  };
}

/**
 * A page or an API call answered with 4xx is what some tests are about, and so is an upstream that
 * fails; a missing file never is.
 */
function isComplaint(message: ConsoleMessage): boolean {
  if (!["error", "warning"].includes(message.type())) return false;
  const isRefusal = /^Failed to load resource.* status of (4\d\d|502|504)/.test(message.text());
  return !isRefusal || /\/assets\/|\.\w+$/.test(message.location().url);
}

/** Opens a page for somebody who is signed in already. */
export async function openSignedIn(visit: Visit, path = "/filesets"): Promise<void> {
  const { page, origin, token } = visit;
  const cookie = await sessionCookie(visit, origin, token);
  const [name, value] = cookie.split("=", 2);
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: "Lax" }]);
  await page.goto(path);
}

/** Answers with a page that is changed. */
export async function answerChanged(route: Route, change: (html: string) => string): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: change(await response.text()) });
}

export const asOtherVersion = (html: string) => html.replace(' data-version="', "$&9");

/** Waits until the islands of a page for signed-in people work. */
export function untilLive(page: Page): Promise<void> {
  return page.locator("body[data-live]").waitFor({ state: "attached" });
}

/** The rule that takes most of axe's time. */
const CONTRAST = "color-contrast";

/** What axe finds wrong with the page as it is, a line each; contrast by itself, or left out. */
export async function violationsOf(
  page: Page,
  contrast: "only" | "too" | "not" = "too",
): Promise<string[]> {
  // The page's policy forbids injected script elements; evaluation by the browser's own tools it does not see.
  if (!await page.evaluate(() => "axe" in globalThis)) {
    await page.evaluate(await Deno.readTextFile(AXE));
  }
  const found = await page.evaluate(async ([contrast, rule]) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({
      // Listing the rules that were followed would take a third of its time.
      resultTypes: ["violations"],
      ...contrast === "only" && { runOnly: [rule] },
      ...contrast === "not" && { rules: { [rule]: { enabled: false } } },
    });
    return violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }));
  }, [contrast, CONTRAST] as const);
  return found.map(({ id, where }) => `${id}: ${where.join(" | ").slice(0, 400)}`);
}
