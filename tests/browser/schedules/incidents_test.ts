/** Incidents in a browser: found, acted on, and led to by a mail's link. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { INCIDENT_PATH, OPENED, plantIncident } from "../../planted_incident.ts";
import { openSignedIn, violationsOf, type Visit, type VisitOptions, withPage } from "../visit.ts";
import { WAYS } from "../plain/ways.ts";

const HOUR = 3_600_000;

/** A visit with an open incident of schedule 101; nobody is signed in. */
function withIncident(
  { open = withPage, ...options }: VisitOptions & { readonly open?: typeof withPage },
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  return open(options, async (visit) => {
    const [run] = await visit.services.store!.reportSchedules.history(101, { limit: 1 });
    await plantIncident(visit, { name: "Sales", run: run.id });
    await test(visit);
  });
}

/** The form of what people can do. */
const careOf = (page: Page) =>
  page.locator("form").filter({ has: page.getByRole("heading", { name: "Respond" }) });

/** What the form has about the incident's schedule. */
const scheduleOf = (page: Page) => page.getByRole("region", { name: "Schedule 101" });

/** What the timeline says, a line each, without the times. */
async function timelineOf(page: Page): Promise<string[]> {
  const rows = page.getByRole("table", { name: "Timeline" }).getByRole("row");
  const lines = await rows.evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent).join(" "))
  );
  return lines.slice(1).map((line) => line.replace("–none", "none"));
}

/** Signs a form and presses a button of it. */
async function actAs(page: Page, name: string, note: string, action: string): Promise<void> {
  await careOf(page).getByLabel("Your name").fill(name);
  await careOf(page).getByLabel("Note").fill(note);
  await press(careOf(page), action);
}

function press(form: Locator, action: string): Promise<void> {
  return form.getByRole("button", { name: action, exact: true }).click();
}

/** Waits until the page states that. */
function states(page: Page, words: string): Promise<void> {
  return page.getByRole("definition").getByText(words, { exact: true }).waitFor();
}

for (const { kind, how, javaScriptEnabled, open } of WAYS) {
  Deno.test(`[${kind}] incidents: open ones first, filtered by the URL, ${how}`, () =>
    withIncident({ open }, async (visit) => {
      const { page } = visit;
      await plantIncident(visit, {
        name: "Claims",
        scheduleId: 102,
        opened: OPENED + HOUR,
        severity: "warning",
      });
      const opened = OPENED + 2 * HOUR;
      await plantIncident(visit, { name: "Stock", scheduleId: 103, opened, resolved: opened + 1 });
      const schedules = async () =>
        (await page.getByRole("rowheader").allTextContents()).map((text) => text.match(/\d+/)?.[0]);
      const filter = async (search: string) => {
        await page.getByRole("button", { name: "Filter" }).click();
        await page.waitForURL((url) => url.search === search);
      };
      await openSignedIn(visit);
      await page.getByRole("link", { name: "Incidents (2)" }).click();
      await page.getByRole("heading", { level: 1, name: "Incidents" }).waitFor();
      assertEquals(await schedules(), ["102", "101", "103"]);
      if (javaScriptEnabled) assertEquals(await violationsOf(page), []);

      await page.getByLabel("State").selectOption("open");
      await page.getByLabel("Severity").selectOption("critical");
      await filter("?state=open&severity=critical&schedule=");
      assertEquals(await schedules(), ["101"]);
      await page.getByLabel("State").selectOption("all");
      await page.getByLabel("Severity").selectOption("all");
      await page.getByLabel("Schedule id").fill("103");
      await filter("?state=all&severity=all&schedule=103");
      assertEquals(await schedules(), ["103"]);
      await page.goBack();
      await page.waitForURL((url) => url.search === "?state=open&severity=critical&schedule=");
      assertEquals(await schedules(), ["101"]);
      assertEquals(await page.getByLabel("State").inputValue(), "open");
      await page.goto("/incidents?state=resolved&schedule=101");
      await page.getByText("No incidents match.").waitFor();
      assertEquals(await page.getByLabel("Schedule id").inputValue(), "101");
    }));

  Deno.test(`[browser] incident: acknowledged with a note, muted and resolved, ${how}`, () =>
    withIncident({ javaScriptEnabled }, async (visit) => {
      const { page, services } = visit;
      await openSignedIn(visit, INCIDENT_PATH);
      await states(page, "open");
      assertEquals(await timelineOf(page), ["opened Docket none"]);
      await actAs(page, "Ada", "asking the warehouse", "Acknowledge");
      await states(page, "acknowledged by Ada");
      // Enter undoes nothing.
      await careOf(page).getByLabel("Your name").fill("Bob");
      await careOf(page).getByLabel("Note").fill("still at it");
      await careOf(page).getByLabel("Note").press("Enter");
      await page.getByRole("cell", { name: "still at it" }).waitFor();
      await states(page, "acknowledged by Ada");
      await actAs(page, "Bob", "", "Undo the acknowledgement");
      await states(page, "open");

      await careOf(page).getByLabel("For how long").selectOption("4h");
      await actAs(page, "Ada", "until noon", "Mute the incident");
      await states(page, "open, muted");
      const { mutedUntil } = (await services.records!.incidents.get(INCIDENT_PATH.slice(11)))!;
      const exact = new Date(mutedUntil!).toISOString().replace(".000Z", "Z");
      await page.getByRole("definition").getByTitle(exact).waitFor();
      await actAs(page, "Ada", "", "Unmute");
      await states(page, "open");

      await actAs(page, "Bob", "started by hand", "Resolve");
      await states(page, "resolved");
      assertEquals(await timelineOf(page), [
        "opened Docket none",
        "acknowledged Ada asking the warehouse",
        "noted Bob still at it",
        "unacknowledged Bob none",
        "muted Ada until noon",
        "unmuted Ada none",
        "resolved Bob started by hand",
      ]);
      await actAs(page, "Ada", "it was not that", "Reopen");
      await states(page, "open");
      await actAs(page, "Ada", "", "Resolve");
      await states(page, "resolved");
      await page.getByRole("link", { name: "Incidents", exact: true }).first().click();
      await page.getByRole("cell", { name: "resolved", exact: true }).waitFor();
    }));

  Deno.test(`[${kind}] incident: a blank name is refused, and the note kept, ${how}`, () =>
    withIncident({ open }, async (visit) => {
      const { page } = visit;
      await openSignedIn(visit, INCIDENT_PATH);
      await actAs(page, " ", "asking the warehouse", "Acknowledge");
      assertStringIncludes(await page.getByRole("alert").textContent() ?? "", "Enter your name");
      assertEquals(new URL(page.url()).pathname, INCIDENT_PATH);
      assertEquals(await careOf(page).getByLabel("Note").inputValue(), "asking the warehouse");
      if (javaScriptEnabled) assertEquals(await violationsOf(page), []);
      await careOf(page).getByLabel("Your name").fill("Ada");
      await press(careOf(page), "Acknowledge");
      await states(page, "acknowledged by Ada");
      assertEquals(await page.getByRole("alert").count(), 0);
    }));

  Deno.test(`[${kind}] incident: its schedule muted, paused, its gap planned, all undone, ${how}`, () =>
    withIncident({ open }, async (visit) => {
      const { page, services } = visit;
      const watch = async () => (await services.records!.watches.get(101))!;
      await openSignedIn(visit, INCIDENT_PATH);
      const schedule = scheduleOf(page);
      const button = (name: string) => careOf(page).getByRole("button", { name, exact: true });
      const change = (words: string) => press(careOf(page), words);
      // The browser keeps the name: everything else is one click.
      await careOf(page).getByLabel("Your name").fill("Ada");
      await careOf(page).getByLabel("Note").fill("stocktaking");
      await change("Mute the schedule");
      await button("Unmute the schedule").waitFor();
      assertMatch((await timelineOf(page)).at(-1)!, /^schedule muted Ada until .+; stocktaking$/);
      await change("Unmute the schedule");
      await button("Mute the schedule").waitFor();
      assertEquals((await watch()).mutedUntil, null);

      await change("Expect no runs from this gap on");
      await change("Expect runs again");
      // What was paused stays a planned gap, until that is undone too.
      await change("Undo: this gap was not planned");
      await button("Undo: this gap was not planned").waitFor({ state: "detached" });
      await button("Expect no runs from this gap on").waitFor();
      assertEquals((await watch()).pauses, []);

      await change("This gap was planned");
      await schedule.getByText(/^Planned gap from/).waitFor();
      assertEquals((await watch()).pauses.map(({ from }) => from), [OPENED]);
      if (javaScriptEnabled) assertEquals(await violationsOf(page), []);
      await change("Undo: this gap was not planned");
      await schedule.getByText(/^Planned gap from/).waitFor({ state: "detached" });
      assertEquals((await watch()).pauses, []);
    }));

  Deno.test(`[${kind}] incident: a mail's link leads through sign-in to it and its run, ${how}`, () =>
    withIncident({ open }, async (visit) => {
      const { page } = visit;
      await page.goto(INCIDENT_PATH);
      assertEquals(new URL(page.url()).pathname, "/sign-in");
      await openSignedIn(visit, INCIDENT_PATH);
      assertEquals(new URL(page.url()).pathname, INCIDENT_PATH);
      const run = page.getByRole("region", { name: "Evidence" }).getByRole("link");
      const id = await run.textContent();
      await run.click();
      await page.waitForURL(`/schedules/101/runs/${id}`);
      await page.getByRole("heading", { level: 1, name: /^Run of / }).waitFor();
    }));
}

Deno.test("[browser] incident: acknowledged by keyboard alone", () =>
  withIncident({}, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, INCIDENT_PATH);
    await tabTo(careOf(page).getByLabel("Your name"));
    await page.keyboard.type("Ada");
    await page.keyboard.press("Tab");
    await page.keyboard.type("asking the warehouse");
    await tabTo(careOf(page).getByRole("button", { name: "Acknowledge" }));
    await page.keyboard.press("Space");
    await states(page, "acknowledged by Ada");
    assertEquals((await timelineOf(page)).at(-1), "acknowledged Ada asking the warehouse");
  }));

Deno.test("[browser] incidents: no page is wider than 360 px, whatever was typed", () =>
  withIncident({ width: 360 }, async (visit) => {
    const { page } = visit;
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await openSignedIn(visit, INCIDENT_PATH);
    const name = "Ada".repeat(33);
    await actAs(page, name, "warehouse".repeat(100), "Acknowledge");
    await states(page, `acknowledged by ${name}`);
    await press(scheduleOf(page), "This gap was planned");
    await scheduleOf(page).getByText(/^Planned gap from/).waitFor();
    assertEquals(await width(), 360);
    assertEquals(await violationsOf(page), []);
    await page.goto("/incidents");
    assertEquals(await width(), 360);
    assertEquals(await violationsOf(page), []);
  }));

/** Presses Tab until that has the focus. */
async function tabTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await target.page().keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("Tab does not reach it");
}
