/** The words for runs, planned runs, incidents and recipients. */
import { assertEquals } from "@std/assert";
import { formatLoaded, formatPercent } from "../../../components/runs/format.ts";
import { stateWords } from "../../../routes/(console)/incidents/_incident.tsx";
import { peopleWords } from "../../../components/runs/incidents/incident_words.ts";
import { recipientChoices } from "../../../components/runs/recipients/recipient_choices.ts";
import { reasonMark } from "../../../components/runs/verdict/state_badge.tsx";
import type { ReasonCode } from "../../../lib/judgement/reason.ts";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { DAY } from "../../../lib/time_units.ts";

const OPENED = Date.parse("2026-01-31T05:30:00Z");

Deno.test("stateWords: not acknowledged, over, acknowledged or resolved", () => {
  const words = (
    resolved: number | null,
    acknowledgedBy: string | null,
    code: ReasonCode = "failing",
  ) => stateWords({ code, resolved, acknowledgedBy });
  assertEquals(words(null, null), "not acknowledged");
  assertEquals(words(null, "Ada"), "acknowledged by Ada");
  assertEquals(words(OPENED, "Ada"), "resolved");
  assertEquals(words(null, null, "missed"), "over, not acknowledged");
});

Deno.test("peopleWords: names one or two who receive it, and says that there are others", () => {
  const names = ["Rowan Pike", "Noor Haddad", "Bao Eriksen"];
  const about = { code: "outside-recipient", lastSuccess: OPENED, people: 6 };
  const words = (count: number) => peopleWords({ ...about, undecided: names.slice(0, count) }, 0);
  assertEquals([0, 1, 2, 3].map(words), [
    "",
    "Rowan Pike gets this report.",
    "Rowan Pike and Noor Haddad get this report.",
    "Rowan Pike and others get this report.",
  ]);
});

Deno.test("peopleWords: says what an incident means for recipients, as far as known", () => {
  const words = (code: ReasonCode, more = {}) =>
    peopleWords(
      { code, lastSuccess: OPENED, people: 6, ...more },
      OPENED + 8 * DAY,
    );
  assertEquals(words("failing"), "6 people have had no report for 8 days.");
  assertEquals(words("failing", { people: 1 }), "1 person has had no report for 8 days.");
  assertEquals(words("failing", { people: null }), "Nothing was sent for 8 days.");
  assertEquals(words("failing", { lastSuccess: null }), "");
  assertEquals(words("overdue"), "6 people are waiting.");
  assertEquals(words("missed"), "6 people did not get it.");
  assertEquals(words("missed", { people: null }), "");
  assertEquals(words("slower"), "");
});

Deno.test("reasonMark: is that of the headline, but never alarming for information", () => {
  assertEquals(reasonMark({ code: "overdue", severity: "critical" }), ["!", "bad"]);
  assertEquals(reasonMark({ code: "outside-recipient", severity: "info" }), ["⚠", "drift"]);
  assertEquals(reasonMark({ code: "clock", severity: "warning" }), ["◆", "drift"]);
});

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };

Deno.test("recipientName: the name, else the masked address, else the user id", () => {
  assertEquals(recipientName(ann, false), "Ann");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, true), "ann@example.com");
  assertEquals(recipientName({ displayName: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ userId: 7 }, false), "user 7");
  assertEquals(recipientName({}, false), "somebody");
});

Deno.test("recipientChoices: lists each recipient once by name, with masked addresses", () => {
  const ben = { userId: 2, displayName: "Ben" };
  const runs = [
    { id: 1, recipients: [ben, ann, { displayName: "Nobody" }] },
    {
      id: 2,
      recipients: [{ ...ben, displayName: "Other" }, { userId: 9, displayName: "z@x.org" }],
    },
    { id: 3, recipients: null },
  ];
  assertEquals(recipientChoices(runs), [
    { userId: 1, name: "Ann" },
    { userId: 2, name: "Ben" },
    { userId: 9, name: "z…@x.org" },
  ]);
  // A later run may know the name.
  const late = [{ id: 1, recipients: [{ userId: 1 }] }, { id: 2, recipients: [ann] }];
  assertEquals(recipientChoices(late), [{ userId: 1, name: "Ann" }]);
});

Deno.test("formatLoaded: says how many runs were loaded, and which may be missing", () => {
  const runs = [{ id: 2 }, { id: 1 }];
  const unread = { stopped: "enough", olderUnread: true, newerUnread: false } as const;
  const text = (loaded: Partial<LoadedRuns>) => formatLoaded({ runs, ...unread, ...loaded });
  assertEquals(text({ stopped: "end", olderUnread: false }), "");
  assertEquals(text({}), "Based on the latest 2 runs; there may be older ones.");
  assertEquals(
    text({ newerUnread: true, runs: [{ id: 1 }] }),
    "Based on 1 run; there may be newer and older ones.",
  );
  assertEquals(
    text({ stopped: "time" }),
    "Based on the latest 2 runs; there may be older ones. The service was too slow to load more.",
  );
  // Those that were stored, while the service can't be read.
  assertEquals(
    text({ stopped: "error", olderUnread: false }),
    "Based on the latest 2 runs. The service failed before more could be loaded.",
  );
  assertEquals(
    text({ stopped: "error", olderUnread: false, newerUnread: true }),
    "Based on 2 runs; there may be newer ones. The service failed before more could be loaded.",
  );
});

Deno.test("formatPercent: only all is 100 %, and only none is 0 %", () => {
  assertEquals([0, 0.0004, 0.001, 0.5, 0.999, 0.9996, 1].map(formatPercent), [
    "0 %",
    "under 0.1 %",
    "0.1 %",
    "50.0 %",
    "99.9 %",
    "over 99.9 %",
    "100 %",
  ]);
});
