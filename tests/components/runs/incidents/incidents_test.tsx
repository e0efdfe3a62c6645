import { assertEquals, assertMatch } from "@std/assert";
import { DeliveryTable } from "../../../../components/runs/incidents/delivery_table.tsx";
import { peopleWords } from "../../../../components/runs/incidents/incident_words.ts";
import {
  IncidentNotified,
  Timeline,
} from "../../../../components/runs/incidents/incident_story.tsx";
import {
  IncidentActions,
  type IncidentView,
} from "../../../../components/runs/incidents/incident_actions.tsx";
import { stateWords } from "../../../../components/runs/incidents/incident_rows.tsx";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";
import type { ReasonCode } from "../../../../lib/judgement/reason.ts";

const OPENED = Date.parse("2026-01-31T05:30:00Z");

Deno.test("stateWords: not acknowledged, over, acknowledged or resolved", () => {
  const words = (resolved: number | null, acknowledgedBy: string | null, code = "failing") =>
    stateWords({ code, resolved, acknowledgedBy });
  assertEquals(words(null, null), "not acknowledged");
  assertEquals(words(null, "Ada"), "acknowledged by Ada");
  assertEquals(words(OPENED, "Ada"), "resolved");
  assertEquals(words(null, null, "missed"), "over, not acknowledged");
});

Deno.test("DeliveryTable: sent, waiting with its last error, or given up; each can be sent again", () => {
  const sent = {
    id: "d-1",
    outlet: "mail",
    summary: "2 runs failed",
    incidentId: "i-1",
    created: OPENED,
    attempts: 1,
    sent: OPENED,
    next: null,
    isInTurn: true,
    givenUp: false,
    error: null,
  };
  const html = htmlOf(
    <DeliveryTable
      deliveries={[
        sent,
        { ...sent, id: "d-2", incidentId: null, sent: null, next: OPENED, error: "refused" },
        { ...sent, id: "d-3", sent: null, next: OPENED },
        { ...sent, id: "d-4", sent: null, givenUp: true, error: "no such host", attempts: 9 },
        { ...sent, id: "d-5", error: "refused by one" },
        { ...sent, id: "d-6", sent: null, next: OPENED, isInTurn: false },
        { ...sent, id: "d-7", sent: null, error: "refused" },
        { ...sent, id: "d-8", next: OPENED },
      ]}
      now={OPENED + 60_000}
    />,
  );
  const created = "today 05:30, 1 min ago";
  assertEquals(textsOf(html, "tr"), [
    "Message | Channel | State | Created UTC | Attempts | Send again",
    `2 runs failed | mail | ✓ sent today 05:30 | ${created} | 1 | Send again d-1`,
    `2 runs failed | mail | ⚠ refused; next attempt today 05:30 | ${created} | 1 | Send again d-2`,
    `2 runs failed | mail | next attempt today 05:30 | ${created} | 1 | Send again d-3`,
    `2 runs failed | mail | ⚠ failed: no such host | ${created} | 9 | Send again d-4`,
    `2 runs failed | mail | ⚠ sent, but: refused by one | ${created} | 1 | Send again d-5`,
    `2 runs failed | mail | waits for the message before it | ${created} | 1 | Send again d-6`,
    `2 runs failed | mail | ⚠ refused; waits as part of another message | ${created} | 1 | Send again d-7`,
    `2 runs failed | mail | being sent again; next attempt today 05:30 | ${created} | 1 | Send again d-8`,
  ]);
  assertEquals(linksOf(html), { "2 runs failed": "/incidents/i-1" });
  assertEquals(html.match(/<a /g)?.length, 7);
  // Where rows are cards, the button names itself.
  assertMatch(html, /data-label="Attempts"/);
  assertEquals(html.includes('data-label="Send again"'), false);
  assertMatch(html, /name="replay" value="d-1"/);
});

const VIEW: IncidentView = {
  id: "i-1",
  scheduleId: 101,
  isOpen: true,
  isReopenable: false,
  isAcknowledged: false,
  isMuted: false,
  isGap: false,
  isWatched: true,
  isScheduleMuted: false,
  isPaused: false,
  pauses: [],
};

/** The buttons of an incident's page: what they say, and what they do. */
function actions(view: Partial<IncidentView> = {}): Record<string, string> {
  const html = htmlOf(
    <IncidentActions view={{ ...VIEW, ...view }} typed={{ next: "/" }} now={OPENED} />,
  );
  const buttons = html.matchAll(/<button[^>]*value="([^"]*)"[^>]*>(.*?)<\/button>/g);
  return Object.fromEntries(
    [...buttons].filter(([, , words]) => words).map(([, action, words]) => [words, action]),
  );
}

const SCHEDULE = {
  "Mute the schedule": "mute-schedule",
  "Pause from now on": "pause-plan",
};

Deno.test("IncidentActions: acknowledge, resolve or mute an open incident, or undo that", () => {
  assertEquals(actions(), {
    "Acknowledge": "acknowledge",
    "Resolve": "resolve",
    "Mute the incident": "mute",
    "Add note": "note",
    ...SCHEDULE,
  });
  assertEquals(actions({ isAcknowledged: true, isMuted: true }), {
    "Undo the acknowledgement": "unacknowledge",
    "Resolve": "resolve",
    "Add note": "note",
    ...SCHEDULE,
  });
});

Deno.test("IncidentActions: a resolved incident has only the actions of its schedule", () => {
  assertEquals(actions({ isOpen: false }), SCHEDULE);
  assertEquals(actions({ isOpen: false, isWatched: false }), {});
  assertEquals(actions({ isOpen: false, scheduleId: null }), {});
  const unwatched = htmlOf(
    <IncidentActions
      view={{ ...VIEW, isOpen: false, isWatched: false }}
      typed={{ next: "/" }}
      now={OPENED}
    />,
  );
  assertEquals(textsOf(unwatched, "p"), ["Schedule 101 is no longer watched."]);
});

Deno.test("IncidentActions: an incident that somebody resolved can be reopened", () => {
  assertEquals(actions({ isOpen: false, isReopenable: true }), {
    "Reopen": "reopen",
    "Add note": "note",
    ...SCHEDULE,
  });
});

Deno.test("IncidentActions: keeps what was typed, and Enter asks for the same again", () => {
  const typed = { name: "Ada", note: "disk", span: "4h", until: "2026-03-10T08:00" };
  const html = htmlOf(
    <IncidentActions view={VIEW} typed={{ ...typed, next: "/", action: "mute" }} now={OPENED} />,
  );
  for (const value of ["Ada", "disk", "4h", "2026-03-10T08:00"]) {
    assertMatch(html, new RegExp(`value="${value}"`));
  }
  assertMatch(html, /<option value="4h" selected>/);
  assertEquals(/<button [^>]*?value="(\w+)"/.exec(html)![1], "mute");
});

Deno.test("IncidentActions: undo planned gaps, and offer no mute or pause twice", () => {
  assertEquals(actions({ isOpen: false, isScheduleMuted: true, isPaused: true }), {});
  const gap = actions({ isGap: true });
  assertEquals(gap["This gap was planned"], "planned-gap");
  assertEquals(gap["Pause from the first missed run"], "pause-plan");
  const pauses = [{ from: OPENED, to: Date.parse("2026-02-01T05:30:00Z") }];
  for (const isPaused of [false, true]) {
    assertEquals(actions({ pauses, isPaused })["Undo: this gap was not planned"], String(OPENED));
  }
  const html = htmlOf(
    <IncidentActions view={{ ...VIEW, pauses }} typed={{ next: "/" }} now={OPENED} />,
  );
  assertMatch(textsOf(html, "li")[0], /^Planned gap from today 05:30 to tomorrow 05:30/);
  assertMatch(html, new RegExp(`name="from" value="${OPENED}"`));
});

Deno.test("peopleWords: says what an incident means for recipients, as far as known", () => {
  const words = (code: ReasonCode, more = {}) =>
    peopleWords(
      { code, lastSuccess: OPENED, people: 6, ...more },
      OPENED + 8 * 86_400_000,
    );
  assertEquals(words("failing"), "6 people have had no report for 8 days.");
  assertEquals(words("failing", { people: 1 }), "1 person has had no report for 8 days.");
  assertEquals(words("failing", { people: null }), "Nothing was sent for 8 days.");
  assertEquals(words("failing", { lastSuccess: null }), "");
  assertEquals(words("overdue"), "6 people are waiting.");
  assertEquals(words("missed"), "6 people did not get it then.");
  assertEquals(words("missed", { people: null }), "");
  assertEquals(words("slower"), "");
});

Deno.test("Timeline: lists runs, actions and messages in one zone", () => {
  const delivery = {
    ...{ id: "d-1", outlet: "webhook", summary: "", incidentId: "i-1", created: OPENED },
    ...{ attempts: 1, sent: OPENED, next: null, isInTurn: true, givenUp: false, error: null },
  };
  const refused = { ...delivery, id: "d-2", outlet: "mail", sent: null, next: OPENED, error: "no" };
  const now = OPENED + 60_000;
  const happened = htmlOf(
    <Timeline
      timeline={[
        { at: OPENED, words: "message “opened”", deliveries: [delivery, refused] },
        { at: OPENED, words: "muted", person: "Ada", note: "until 2026-01-31T09:00Z; disk" },
        {
          at: OPENED,
          words: "failed after 37 s, meant for 6 people",
          isBad: true,
          run: { scheduleId: 1, runId: 2 },
        },
      ]}
      now={now}
    />,
    "Europe/Berlin",
  );
  assertEquals(textsOf(happened, "li"), [
    "today 06:30 message “opened”: webhook ✓ sent today 06:30, mail ⚠ no; next attempt today 06:30",
    "today 06:30 muted by Ada: until today 10:00; disk",
    "today 06:30 failed after 37 s, meant for 6 people",
  ]);
  assertEquals(linksOf(happened), { "today 06:30": "/schedules/1/runs/2" });
  const notified = htmlOf(
    <IncidentNotified
      outlets={[
        { outlet: "webhook", delivery },
        { outlet: "mail", delivery: refused },
        { outlet: "alertmanager", delivery: null },
      ]}
      isMuted
      now={now}
    />,
  );
  assertEquals(textsOf(notified, "li"), [
    "webhook ✓ sent today 05:30",
    "mail ⚠ no; next attempt today 05:30 Send now: mail",
    "alertmanager nothing sent: muted",
  ]);
  assertEquals(textsOf(notified, "p"), []);
  assertEquals(textsOf(htmlOf(<IncidentNotified outlets={[]} isMuted now={now} />), "p"), [
    "Nobody is notified. Set up a channel",
  ]);
});
