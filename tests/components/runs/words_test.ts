/** The words for runs, planned runs, incidents and recipients. */
import { assertEquals } from "@std/assert";
import { formatLoaded, formatPercent } from "../../../components/runs/run_words.tsx";
import { peopleWords } from "../../../components/runs/incidents/incident_words.tsx";
import { recipientChoices } from "../../../components/runs/recipients/recipient_choices.ts";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { DAY } from "../../../lib/time_units.ts";

const OPENED = Date.parse("2026-01-31T05:30:00Z");

Deno.test("peopleWords: says what an incident means for recipients, as far as known", () => {
  const names = ["Rowan Pike", "Noor Haddad", "Bao Eriksen"];
  const cases = [
    ["failing", {}, "6 people have had no report for 8 days."],
    ["failing", { people: 1 }, "1 person has had no report for 8 days."],
    ["failing", { people: null }, "Nothing was sent for 8 days."],
    ["failing", { lastSuccess: null }, ""],
    ["overdue", {}, "6 people are waiting."],
    ["missed", {}, "6 people did not get it."],
    ["missed", { people: null }, ""],
    ["slower", {}, ""],
    ["outside-recipient", { undecided: [] }, ""],
    ["outside-recipient", { undecided: names.slice(0, 1) }, "Rowan Pike gets this report."],
    [
      "outside-recipient",
      { undecided: names.slice(0, 2) },
      "Rowan Pike and Noor Haddad get this report.",
    ],
    ["outside-recipient", { undecided: names }, "Rowan Pike and others get this report."],
  ] as const;
  for (const [code, more, words] of cases) {
    const about = { code, lastSuccess: OPENED, people: 6, ...more };
    assertEquals(peopleWords(about, OPENED + 8 * DAY), words);
  }
});

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };

Deno.test("recipientChoices: lists each recipient once by name, with masked addresses", () => {
  const ben = { userId: 2, displayName: "Ben" };
  const lists = [
    [ben, { userId: 1 }, { displayName: "Nobody" }],
    // A later run may know the name.
    [ann, { ...ben, displayName: "Other" }, { userId: 9, displayName: "z@x.org" }],
    null,
  ];
  assertEquals(recipientChoices(lists.map((recipients, id) => ({ id, recipients }))), [
    { userId: 1, name: "Ann" },
    { userId: 2, name: "Ben" },
    { userId: 9, name: "z…@x.org" },
  ]);
});

Deno.test("formatLoaded: says how many runs were loaded, and which may be missing", () => {
  const cases: readonly (readonly [loaded: Partial<LoadedRuns>, text: string])[] = [
    [{ stopped: "end", olderUnread: false }, ""],
    [{}, "Based on the latest 2 runs; there may be older ones."],
    [
      { newerUnread: true, runs: [{ id: 1 }] },
      "Based on 1 run; there may be newer and older ones.",
    ],
    [
      { stopped: "time" },
      "Based on the latest 2 runs; there may be older ones. " +
      "The service was too slow to load more.",
    ],
    // Those that were stored, while the service can't be read.
    [
      { stopped: "error", olderUnread: false },
      "Based on the latest 2 runs. The service failed before more could be loaded.",
    ],
  ];
  const unread = { stopped: "enough", olderUnread: true, newerUnread: false } as const;
  for (const [loaded, text] of cases) {
    assertEquals(formatLoaded({ runs: [{ id: 2 }, { id: 1 }], ...unread, ...loaded }), text);
  }
});

Deno.test("formatPercent: only all is 100 %, and only none is 0 %", () => {
  assertEquals([0, 0.0004, 0.001, 0.5, 0.999, 0.9996, 1].map(formatPercent), [
    ...["0 %", "under 0.1 %", "0.1 %", "50.0 %", "99.9 %", "over 99.9 %", "100 %"],
  ]);
});
