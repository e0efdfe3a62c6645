/** Incidents: found, acted on, and led to by a mail's link. What a form does needs no browser. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { HOUR } from "../../../lib/time_units.ts";
import type { App } from "../../app.ts";
import { INCIDENT_PATH, OPENED, plantIncident } from "../../planted_incident.ts";
import { type PlainPage, type PlainVisit, withPlainPage } from "../plain_page.ts";
import { openSignedIn, violationsOf, withPage } from "../visit.ts";

/** Plants an open incident of schedule 101. */
async function plant(app: App): Promise<void> {
  const [next, run] = await app.services.store!.reportSchedules.history(101, { limit: 2 });
  await plantIncident(app, { name: "Sales", run: run.id });
  const { commit, runs } = app.services.records!;
  const put = [
    { id: run.id, start: OPENED, run: { ...run, status: "failure" } },
    { id: next.id, start: OPENED + HOUR, run: next },
  ];
  await commit(await runs.changeSteps(101, { put }, OPENED));
}

function withIncident(test: (visit: PlainVisit) => Promise<void>, isSignedIn = true) {
  return withPlainPage(async (visit) => {
    await plant(visit);
    await visit.page.open(INCIDENT_PATH);
    await test(visit);
  }, { isSignedIn });
}

/** What happened, newest first, a line each, without the times. */
function happenedOn(page: PlainPage): string[] {
  const list = page.shown.getByRole("list", { name: "Timeline" });
  return [...list.children].map(({ textContent }) => textContent!.replace(/^.*?\d\d:\d\d /, ""));
}

/** Fills the form as somebody, and presses a button of it. */
async function actAs(page: PlainPage, name: string, note: string, action: string): Promise<void> {
  page.fill("Acting as", name);
  page.fill("Note", note);
  await page.press(action);
}

function assertState(page: PlainPage, state: string): void {
  const wrong = page.shown.getByRole("region", { name: "What is wrong" });
  assertStringIncludes(wrong.textContent, state);
}

Deno.test("[e2e] incidents: open ones first, filtered by the URL", () =>
  withIncident(async (visit) => {
    const { page } = visit;
    const opened = OPENED + 2 * HOUR;
    await plantIncident(visit, {
      name: "Claims",
      scheduleId: 102,
      opened: OPENED + HOUR,
      severity: "warning",
    });
    await plantIncident(visit, { name: "Stock", scheduleId: 103, opened, resolved: opened + 1 });
    const shown = () =>
      page.shown.queryAllByRole("article").map(({ textContent }) =>
        textContent!.match(/\d{3}/)?.[0]
      );
    await page.open("/incidents");
    page.shown.getByRole("link", { name: "Incidents 2 open" });
    assertEquals(shown(), ["102", "101"]);
    await page.press("All 3");
    assertEquals(shown(), ["102", "101", "103"]);
    page.fill("Filter by schedule id", "102");
    await page.press("Filter");
    assertEquals(page.path, "/incidents?state=all&schedule=102");
    assertEquals(shown(), ["102"]);
  }));

Deno.test("[e2e] incident: acknowledged with a note, muted and resolved", () =>
  withIncident(async ({ page }) => {
    assertState(page, "Critical, not acknowledged");
    await actAs(page, "Ada", "asking the warehouse", "Acknowledge");
    assertState(page, "acknowledged by Ada");
    await actAs(page, "Bob", "", "Undo the acknowledgement");
    assertState(page, "Critical, not acknowledged");
    page.fill("For how long", "4h");
    await actAs(page, "Ada", "until noon", "Mute the incident");
    assertStringIncludes(page.text, "muted until");
    // With one click, as on each page that says so.
    await page.press(/^Unmute/);
    assertState(page, "Critical, not acknowledged");
    await actAs(page, "Bob", "started by hand", "Resolve");
    assertState(page, "resolved");
    assertEquals(happenedOn(page), [
      "resolved by Bob (not verified): started by hand",
      "unmuted by Ada (not verified)",
      "muted by Ada (not verified): until noon",
      "unacknowledged by Bob (not verified)",
      "acknowledged by Ada (not verified): asking the warehouse",
      "sent to 8 people",
      "failed after 41 s, meant for 8 people",
      "found",
      "last success before, sent to 8 people",
    ]);
    await actAs(page, "Ada", "it was not that", "Reopen");
    assertState(page, "Critical, not acknowledged");
    // What ended it is told only once it is resolved.
    assertEquals(happenedOn(page).includes("sent to 8 people"), false);

    await actAs(page, " ", "", "Acknowledge");
    assertStringIncludes(page.text, "Enter your name");
    assertState(page, "Critical, not acknowledged");
  }));

Deno.test("[e2e] incident: a mail's link leads through sign-in to it and its run", () =>
  withIncident(async ({ page, token }) => {
    assertEquals(page.url.pathname, "/sign-in");
    page.fill("Developer token", token);
    await page.press("Sign in");
    assertEquals(page.path, INCIDENT_PATH);
    await page.press(page.shown.getByRole("list", { name: "Timeline" }).querySelector("a")!);
    assertMatch(page.path, /^\/schedules\/101\/runs\/\d+$/);
    assertMatch(page.text, /^Run of /m);
  }, false));

/** The form of what people can do. */
const careOf = (page: Page) => page.locator("form.respond");

/** Waits until the page states that. */
function states(page: Page, words: string): Promise<void> {
  return page.getByRole("region", { name: "What is wrong" }).getByText(words).waitFor();
}

Deno.test("[browser] incidents: no page is wider than 360 px, whatever was typed", () =>
  withPage({ width: 360 }, async (visit) => {
    const { page } = visit;
    await plant(visit);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await openSignedIn(visit, INCIDENT_PATH);
    const name = "Ada".repeat(33);
    await careOf(page).getByLabel("Acting as").fill(name);
    await careOf(page).getByLabel("Note").fill("warehouse".repeat(100));
    await careOf(page).getByRole("button", { name: "Acknowledge", exact: true }).click();
    await states(page, `acknowledged by ${name}`);
    await page.getByLabel("More: pause the schedule").click();
    await page.getByRole("button", { name: "This gap was planned" }).click();
    await page.getByLabel("More: pause the schedule").click();
    await page.getByText(/^Planned gap from/).waitFor();
    assertEquals(await width(), 360);
    assertEquals(await violationsOf(page), []);
    await page.goto("/incidents");
    assertEquals(await width(), 360);
    assertEquals(await violationsOf(page), []);
  }));
