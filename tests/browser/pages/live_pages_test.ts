/** What pages do by themselves and by keys: they renew themselves, and lose nothing that is typed. */
import { assertEquals } from "@std/assert";
import type { Page, Route } from "playwright-core";
import {
  answerChanged,
  asOtherVersion,
  openSignedIn,
  testSteps,
  untilLive,
  type Visit,
} from "../visit.ts";

/** What counts the requests of a page, for itself, so that none comes later. */
interface Counted {
  requested: number;
}

/** Runs in the page. */
function countRequests(): void {
  const counted = globalThis as unknown as Counted;
  const { send } = XMLHttpRequest.prototype;
  if (counted.requested !== undefined) return;
  counted.requested = 0;
  XMLHttpRequest.prototype.send = function (body) {
    counted.requested += 1;
    send.call(this, body);
  };
}

/** A page whose clock the test moves, and whose requests to renew it are counted and answered. */
async function openRenewed(visit: Visit, path: string) {
  const { page } = visit;
  await openSignedIn(visit, "/nowhere");
  await page.clock.install();
  await page.addInitScript(countRequests);
  await page.goto(path);
  await untilLive(page);
  let answer = (route: Route): Promise<void> => route.continue();
  await page.route(`**${path}`, async (route) => {
    if (route.request().resourceType() === "xhr") await answer(route);
    else await route.continue();
  });
  return {
    page,
    /** How often the page was requested since it was opened. */
    requested: () => page.evaluate(() => (globalThis as unknown as Counted).requested),
    pass: (seconds: number) => page.clock.runFor(1000 * seconds),
    /** Changes the next answers. */
    change(edit: (html: string) => string) {
      answer = (route) => answerChanged(route, edit);
    },
    fail: (response: Parameters<Route["fulfill"]>[0]) =>
      answer = (route) => route.fulfill(response),
  };
}

const status = (page: Page) => page.locator("footer [role=status]");

testSteps("[browser] pages: renew themselves", { isWatched: true }, {
  "every 30 s, until that is paused, also after a reload, and not while hidden": async (visit) => {
    await visit.page.goto("/sign-in");
    // Signing in remembers the browser's zone.
    await visit.page.waitForFunction(() => document.cookie.includes("docket_zone="));
    const { page, requested, pass } = await openRenewed(visit, "/");
    await pass(29);
    assertEquals(await requested(), 0);
    await pass(1);
    await page.getByText(/^Updated \d\d:\d\d New York time$/).waitFor();
    await page.getByRole("button", { name: "Pause updates" }).click();
    await pass(60);
    assertEquals(await requested(), 1);
    await page.reload();
    await untilLive(page);
    await pass(60);
    assertEquals(await requested(), 0);
    await page.getByRole("button", { name: "Resume updates" }).click();
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await pass(60);
    assertEquals(await requested(), 0);
  },

  "sooner while something is in progress, and only what changed is announced": async (visit) => {
    const { page, requested, pass, change } = await openRenewed(visit, "/");
    change((html) => html.replace(/ data-announced[^>]*>/, "$& Changed."));
    await pass(30);
    await status(page).getByText("Changed.").waitFor();
    // No two sentences run together.
    assertEquals(/\.\w/.exec((await status(page).textContent())!), null);
    await pass(30);
    await status(page).getByText("Changed.").waitFor({ state: "detached" });
    change((html) => html.replace(/ data-announced/, " data-busy$&"));
    await pass(30);
    await page.locator("[data-busy]").waitFor();
    await page.getByLabel(/^More for /).first().click();
    change((html) => html.replace(/ data-announced[^>]*>/, "$& Done."));
    const before = await requested();
    await pass(2);
    assertEquals(await requested(), before + 1);
    await status(page).getByText("Done.").waitFor();
    // What was opened stays open.
    await page.getByRole("button", { name: /^Mute 24 h/ }).first().waitFor();
  },

  "after a failure as it asks, and say when, or that one is signed out": async (visit) => {
    const { page, requested, pass, fail } = await openRenewed(visit, "/");
    const headline = await page.getByRole("heading").first().textContent();
    fail({ status: 502, headers: { "retry-after": "90" }, json: {} });
    await pass(30);
    await status(page).getByText(/^Update failed at .*\. Next attempt at \d\d:\d\d/).waitFor();
    assertEquals(await page.getByRole("heading").first().textContent(), headline);
    await pass(89);
    assertEquals(await requested(), 1);
    fail({ status: 401, json: {} });
    await pass(1);
    await status(page).getByText("You are no longer signed in. Sign in again").waitFor();
  },

  "until another version serves, whose parts need other styles, and say so": async (visit) => {
    const { page, pass, change } = await openRenewed(visit, "/");
    change((html) => asOtherVersion(html).replace(/ data-announced[^>]*>/, "$&New."));
    await pass(30);
    await status(page).getByText("Docket was updated. Reload the page").waitFor();
    assertEquals(await page.getByText("New.").count(), 0);
  },

  "without the loss of what is typed, ticked or focused": async (visit) => {
    const { page, requested, pass, change } = await openRenewed(visit, "/schedules");
    const filter = page.getByPlaceholder("Filter by name, owner or id");
    await pass(25);
    await filter.fill("Ada");
    await pass(9);
    assertEquals(await requested(), 0);
    await pass(1);
    await page.getByText(/^Updated/).waitFor();
    assertEquals(await filter.inputValue(), "Ada");
    assertEquals(await filter.evaluate((field) => field === document.activeElement), true);
    await page.getByLabel("Select 102").check();
    await pass(60);
    assertEquals(await requested(), 1);
    await page.getByLabel("Select 102").uncheck();
    // Of links with the same name, the one with the same address.
    await page.getByRole("link", { name: "Open claims" }).focus();
    change((html) => html.replace('<a href="/schedules/102"', '<a href="/x">Open claims</a>$&'));
    await pass(40);
    await page.getByRole("link", { name: "Open claims" }).nth(1).waitFor();
    const focused = await page.evaluate(() => document.activeElement!.getAttribute("href"));
    assertEquals(focused, "/schedules/102");
  },
});

testSteps("[browser] keys: work from a page's first moment", {}, {
  "Ctrl K goes to the search before a page's scripts run": async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/nowhere");
    const held = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto("/filesets?limit=3", { waitUntil: "commit" });
    await page.waitForFunction(() => document.readyState === "interactive");
    await page.keyboard.press("Control+k");
    await page.locator("[data-go]:focus").waitFor();
    held.resolve();
  },

  "a menu is closed by Escape or a click elsewhere, and what can't be copied is said": async (
    visit,
  ) => {
    const { page } = visit;
    await openSignedIn(visit, "/filesets?limit=3");
    await untilLive(page);
    await page.evaluate(() => navigator.clipboard.writeText = () => Promise.reject(new Error()));
    const menu = page.getByText("Export, columns");
    await menu.click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Your browser did not allow copying. Select the text instead.").waitFor();
    const open = page.locator(".menu[open]");
    await page.getByText("5,000 file sets").click();
    assertEquals(await open.count(), 0);
    await menu.click();
    await page.keyboard.press("Escape");
    await menu.and(page.locator(":focus")).waitFor();
    assertEquals(await open.count(), 0);
  },
});
