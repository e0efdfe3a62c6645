import { assert, assertEquals } from "@std/assert";
import { lastSuccess } from "../../../../components/runs/verdict/fact_tiles.tsx";
import { Summary } from "../../../../components/runs/verdict/summary.tsx";
import { DAY, HOUR } from "../../../../lib/time_units.ts";
import { judgeSchedule, type Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { Reason, ReasonCode } from "../../../../lib/judgement/reason.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";
import { sampleReason } from "../../../sample_reasons.ts";

const dictionary = defaultStatusDictionary();
const FIRST = Date.parse("2026-01-05T06:00:00Z");
const recipients = [{ userId: 1, emailAddress: "ann@example.com" }];

/** A run a day from 5 January 2026, newest first. */
function daily(statuses: readonly string[]): ReportRun[] {
  return statuses.map((status, index) => ({
    id: index + 1,
    status,
    automated: true,
    reportTitle: "Open claims",
    startTime: new Date(FIRST + index * DAY).toISOString(),
    endTime: new Date(FIRST + index * DAY + 60_000).toISOString(),
    attachmentCount: 1,
    attachmentSize: 1000,
    emailSize: 2000,
    recipientCount: 1,
    recipients,
  })).reverse();
}

function judged(
  runs: readonly ReportRun[],
  now = FIRST + runs.length * DAY - 60_000,
  newerUnread = false,
): Verdict {
  return judgeSchedule({ runs, newerUnread }, { statuses: dictionary, now });
}

/** The tiles by name: their text, and whether they alert. */
function tilesOf(
  verdict: Verdict,
  now = Date.parse(verdict.runs[0]?.startTime ?? "2026-01-05") + DAY - HOUR,
): Record<string, { text: string; isAlert: boolean }> {
  const html = htmlOf(<Summary verdict={verdict} scheduleId={101} now={now} />);
  const tiles = [...html.matchAll(/<div class="(tile[^"]*)">(.*?)<\/dd><\/div>/gs)];
  return Object.fromEntries(tiles.map(([, name, content]) => {
    const [title, ...rest] = textOf(content).replace(/^\| | \|$/g, "").split(" | ");
    const isAlert = / alert (bad|drift)$/.test(name);
    assertEquals(name.includes("alert"), isAlert, name);
    assertEquals(title.endsWith(", needs attention"), isAlert, title);
    assertEquals(content.includes("⚠"), isAlert, title);
    return [title.split(",")[0], { text: rest.join(" | "), isAlert }];
  }));
}

const good = Array.from({ length: 20 }, () => "success");

Deno.test("lastSuccess: names a run without a start by its id", () => {
  const { value } = lastSuccess({ id: 7 }, 101, FIRST);
  assertEquals(textOf(htmlOf(<>{value}</>)), "run 7");
});

Deno.test("Summary: says since when a schedule fails, and how often", () => {
  const tiles = tilesOf(judged(daily([...good, "failure", "failure"])));
  assertEquals(tiles["Failing since"], {
    text: "2026-01-25 06:00 | 2 runs in a row",
    isAlert: true,
  });
  assertEquals(tiles["Success rate"].text, "90.9 % | 20 of 22 runs");
  assertEquals(
    tiles["Current streak"].text,
    "2 failed in a row | longest failure streak: 2",
  );
  const always = tilesOf(judged(daily(["failure", "failure"])));
  assertEquals(always["Last success"].text, "none");
  assertEquals(
    always["Failing since"].text,
    "2026-01-05 06:00 | 2 runs in a row, or more: no earlier success was loaded",
  );
  assertEquals(
    always["Current streak"].text,
    "2+ failed in a row | longest failure streak: 2+",
  );
});

Deno.test("Summary: a newest run with an unknown status leaves no streak of successes", () => {
  const tiles = tilesOf(judged(daily([...good, "ARCHIVED"])));
  assertEquals(tiles["Current streak"].text, "unknown: the newest run has an unknown status");
});

Deno.test("Summary: says what is unknown", () => {
  const tiles = tilesOf(judged([{ id: 1, status: "paused" }]));
  assertEquals(
    tiles["Failing since"].text,
    "unknown: no run has a status known as success or failure",
  );
  assertEquals(tiles["Success rate"].text, "unknown | 1 with an unknown status");
  assertEquals(tiles["Current streak"].text, "none");
  assertEquals(tiles["Plan (inferred)"].text, "no regular schedule in 1 run");
  assertEquals(tiles.Duration.text, "unknown");
  assertEquals(tiles["Attachment size"].text, "too few runs");
});

Deno.test("Summary: lists missed and overdue runs", () => {
  const runs = daily([...good, ...good]).filter(({ id }) => id !== 30);
  const tiles = tilesOf(judged(runs, FIRST + 41.6 * DAY));
  assertEquals(tiles["Plan (inferred)"].isAlert, true);
  assertEquals(
    tiles["Plan (inferred)"].text,
    "2 runs overdue, 1 missed | daily at 06:00, UTC | Missed and overdue runs | " +
      "2026-02-15 06:00 | 2026-02-14 06:00 | 2026-02-03 06:00",
  );
});

/** The large facts by name, and the names of those in the line below. */
function placesOf(verdict: Verdict) {
  const html = htmlOf(<Summary verdict={verdict} scheduleId={101} now={FIRST + 30 * DAY} />);
  const rest = html.slice(html.indexOf('<dl class="small-facts"'));
  const places = [...html.matchAll(/<div class="tile (lead|large)[^"]*"><dt>(.*?)<\/dt>/gs)];
  return {
    shown: places.map(([, place, name]) => [place, textOf(name).split(",")[0]]),
    rest: textsOf(rest, "dt"),
  };
}

Deno.test("Summary: shows facts without a reason on one line", () => {
  assertEquals(placesOf(judged(daily(good))), {
    shown: [],
    rest: [
      ...["Last success", "Plan (inferred)", "Recipients", "Success rate", "Duration"],
      ...["Attachment size", "Email size", "Current streak"],
    ],
  });
});

Deno.test("Summary: shows facts that need attention first, in the order of the reasons", () => {
  assertEquals(placesOf(judged(daily([...good, ...good, "failure", "failure"]))).shown, [
    ["lead", "Last success"],
    ["large", "Failing since"],
  ]);
  const missing = daily([...good, ...good]).filter(({ id }) => id !== 38);
  assertEquals(placesOf(judged(missing)).shown.slice(0, 2), [
    ["lead", "Plan (inferred)"],
  ]);
  const outside = daily([...good, ...good, "failure", "failure"]).map((run) => ({
    ...run,
    recipients: run.id > 39
      ? [...recipients, { emailAddress: "eve@elsewhere.example" }]
      : recipients,
  }));
  const { shown } = placesOf(judged(outside, FIRST + 43.6 * DAY));
  assertEquals(shown.map(([place]) => place), ["lead", "large", "large", "large"]);
  assertEquals(
    new Set(shown.map(([, name]) => name)),
    new Set(["Last success", "Failing since", "Plan (inferred)", "Recipients"]),
  );
});

Deno.test("Summary: counts recipients at other domains than most, unless some are new", () => {
  const linkTo = (lists: readonly (readonly string[])[]) => {
    const runs = daily(lists.map(() => "success")).map((run) => ({
      ...run,
      recipients: lists[run.id - 1].map((emailAddress) => ({ emailAddress })),
    }));
    const links = linksOf(
      htmlOf(<Summary verdict={judged(runs)} scheduleId={7} now={FIRST} />),
    );
    return Object.keys(links).find((text) => links[text] === "/people?schedule=7");
  };
  const most = ["a@example.com", "b@Example.com", "c@example.com"];
  const now = [...most, "d@one.example", "e@two.example", "f@two.example", "g@mail.example.com"];
  assertEquals(linkTo([[...most, "gone@old.example"], now]), "3 at other domains");
  assertEquals(linkTo([most]), "All recipients");
  assertEquals(linkTo([["a@two.example", "b@one.example"]]), "1 at other domains");
  const days = Array.from({ length: 40 }, (_, day) => day > 37 ? [...most, "c@new.example"] : most);
  assertEquals(linkTo(days), "1 new external");
});

Deno.test("Summary: links to the run where a size changed, and to recipients", () => {
  const runs = daily([...good, ...good]).map((run) => ({
    ...run,
    attachmentSize: run.id > 20 ? 40_000 : 1000,
    recipients: run.id > 38
      ? [...recipients, { emailAddress: "eve@elsewhere.example" }]
      : recipients,
    recipientCount: run.id > 38 || run.id === 1 ? 2 : 1,
  }));
  const verdict = judged(runs);
  const tiles = tilesOf(verdict);
  assertEquals(tiles["Attachment size"].isAlert, false, "an old jump only informs");
  assert(
    tiles["Attachment size"].text.startsWith("1.0 KB → 40.0 KB | changed abruptly 2026-01-25"),
    tiles["Attachment size"].text,
  );
  assert(tiles["Attachment size"].text.endsWith("40 times larger"), tiles["Attachment size"].text);
  assertEquals(tiles.Recipients.isAlert, true);
  assert(tiles.Recipients.text.startsWith("1 → 2 | 1 new external"), tiles.Recipients.text);
  const links = linksOf(
    htmlOf(<Summary verdict={verdict} scheduleId={101} now={FIRST} />),
  );
  assertEquals(links["1 new external"], "/people?schedule=101");
});

Deno.test("Summary: does not mention outliers of few runs", () => {
  const verdict = judged(daily(good));
  const few = { ...verdict, durations: { ...verdict.durations, spread: null } };
  assertEquals(tilesOf(few).Duration.text, "p50 1 min, p95 1 min | of 20 runs");
});

/** The facts that alert for a reason, other things being well. */
function alertsOf(...reasons: readonly Reason[]): string[] {
  const verdict = {
    ...judged(daily(good)),
    reasons,
  };
  const tiles = Object.entries(tilesOf(verdict));
  return tiles.filter(([, { isAlert }]) => isAlert).map(([name]) => name);
}

Deno.test("Summary: each reason alerts only its own fact", () => {
  const facts: Readonly<Record<string, readonly ReasonCode[]>> = {
    "Last success": ["stuck"],
    "Plan (inferred)": ["overdue", "missed", "late"],
    "Recipients": ["outside-recipient", "leaver-recipient", "recipients-dropped", "sent-to-nobody"],
    "Success rate": ["flaky", "started-by-hand"],
    "Duration": ["slower"],
    "Attachment size": ["empty-delivery"],
  };
  for (const [name, codes] of Object.entries(facts)) {
    for (const code of codes) assertEquals(alertsOf(sampleReason(code)), [name], code);
  }
  for (const code of ["unreadable", "never-ran", "unknown-status", "clock"] as const) {
    assertEquals(alertsOf(sampleReason(code)), [], code);
  }
});

Deno.test("Summary: a size that jumped alerts its own fact only", () => {
  const jump = (field: "attachmentSize" | "emailSize") => sampleReason("size-jump", { field });
  assertEquals(alertsOf(jump("attachmentSize")), ["Attachment size"]);
  assertEquals(alertsOf(jump("emailSize")), ["Email size"]);
});

Deno.test("Summary: information is no alert, but comes first if it is the first reason", () => {
  const slower = sampleReason("slower", { severity: "info" });
  assertEquals(alertsOf(slower), []);
  assertEquals(alertsOf(sampleReason("late"), slower), ["Plan (inferred)"]);
});

Deno.test("Summary: shortens a long list of missed runs, and says how many more there are", () => {
  const verdict = judged(daily(good));
  const missed = Array.from({ length: 51 }, (_, at) => ({ at: FIRST - at * DAY, id: String(at) }));
  const reasons = [sampleReason("missed")];
  const text = (count: number) =>
    tilesOf({
      ...verdict,
      reasons,
      schedule: {
        ...verdict.schedule!,
        missed: missed.slice(0, count),
        counts: { missed: count, overdue: 0 },
      },
    })["Plan (inferred)"].text;
  assert(text(51).startsWith("51 missed | daily at 06:00, UTC, next in 1 h |"), text(51));
  assert(text(51).endsWith("| and 1 more"), text(51));
  assert(!text(50).includes("more"), text(50));
});

Deno.test("Summary: says where there are too few runs to detect missed ones", () => {
  const verdict = judged(daily(good));
  const sees = { since: FIRST, enough: false };
  const { text } = tilesOf({ ...verdict, schedule: { ...verdict.schedule!, sees } })[
    "Plan (inferred)"
  ];
  assertEquals(text, "daily at 06:00, UTC | too few runs to detect missed ones, next in 1 h");
});
