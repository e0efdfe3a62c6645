import { assertEquals, assertMatch } from "@std/assert";
import {
  daySentence,
  isChosen,
  laterToday,
  problemParts,
  type ScheduleOfDay,
  summarizeDay,
} from "../../../../components/runs/overview/day_summary.ts";
import {
  type AttentionRow,
  NeedsSomebody,
} from "../../../../components/runs/overview/needs_somebody.tsx";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../../../components/runs/overview/overview_filter.tsx";
import type { ScheduleRow } from "../../../../components/runs/overview/schedule_table.tsx";
import { ScheduleTable } from "../../../../components/runs/overview/schedule_table.tsx";
import { ChannelList } from "../../../../components/runs/owners/channel_list.tsx";
import { LaterToday, WhoIsNotified } from "../../../../components/runs/overview/today_side.tsx";
import type { Silence } from "../../../../components/runs/incidents/silence.tsx";
import { HOUR } from "../../../../lib/time_units.ts";
import { type Headline, HEADLINES } from "../../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../../lib/judgement/judge_schedule.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";

const FROM = Date.UTC(2026, 10, 23);
const NOW = FROM + 7 * HOUR + 5 * 60_000;
const SPAN = { from: FROM, to: FROM + 24 * HOUR, now: NOW };

const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

/** A schedule whose planned runs are given as `hour: outcome`. */
function schedule(
  name: string,
  outcomes: Readonly<Record<string, PlannedRun["outcome"]>>,
  more: Partial<ScheduleOfDay> = {},
): ScheduleOfDay {
  const planned = Object.entries(outcomes)
    .map(([hour, outcome]) => ({ at: FROM + Number(hour) * HOUR, outcome, run: null }));
  const scheduleId = name.length;
  return {
    scheduleId,
    name,
    headline: "healthy",
    people: more.reached?.split(" ").length ?? 0,
    reached: null,
    ...more,
    planned,
  };
}

/** What the page says first. */
function said(...schedules: readonly ScheduleOfDay[]): string {
  const summary = summarizeDay(schedules, SPAN);
  const sentence = daySentence(summary, clock).map(({ text }) => text).join("");
  return [sentence, ...problemParts(summary).map(({ text }) => text)].join(" | ");
}

Deno.test("daySentence: says how many reports went out, and to how many different people", () => {
  const sales = schedule("Sales", { 6: "met", 7: "late" }, { reached: "a b" });
  const cash = schedule("Cash", { 5: "by-hand" }, { reached: "b c" });
  assertEquals(said(sales, cash), "All 3 reports due by now have gone out, to 3 people.");
  const claims = schedule("Claims", { 5: "failed" }, { reached: "x" });
  assertEquals(
    said(sales, claims),
    "2 of 3 reports due by now have gone out, to 2 people. | Claims failed",
  );
  // The day before, later today, excused runs and those that nobody planned don't count.
  const others = schedule("Others", { "-1": "met", 5: "excused", 6: "extra", 9: "due" });
  assertEquals(said(cash, others), "The 1 report due by now has gone out, to 2 people.");
  assertEquals(said(claims), "The report due by now has not gone out. | Claims failed");
  const unnamed = schedule("Unnamed", { 6: "met" }, { people: 40 });
  assertEquals(said(unnamed), "The 1 report due by now has gone out, to about 40 people.");
});

Deno.test("daySentence: what ended with an unknown status is never said not to have gone out", () => {
  const orders = schedule("Orders", { 6: "other", 7: "other" });
  const words = "ended with a status that Docket does not know";
  assertEquals(
    said(orders),
    `None of the 2 reports due by now is known to have gone out. | Orders ${words} 2 times`,
  );
  // Neither a good run nor a planned one.
  const extra = schedule("Extra", { 5: "extra-other", 6: "met" }, { reached: "a" });
  assertEquals(said(extra), "The 1 report due by now has gone out, to 1 person.");
});

Deno.test("daySentence: before the first report, names it; without any, says so", () => {
  assertEquals(
    said(schedule("Later", { 12: "due" }), schedule("First", { 8.5: "due" })),
    "No report has been due yet today. The first is First, at 08:30.",
  );
  assertEquals(said(schedule("Weekly", { "-20": "met" })), "No report is planned for today.");
});

Deno.test("problemParts: names one schedule, counts several, and links to them", () => {
  const outcomes = ["failed", "overdue", "missed", "due"] as const;
  const one = outcomes.map((outcome) => schedule(outcome, { 6: outcome }));
  assertEquals(
    said(...one),
    "None of the 4 reports due by now has gone out. | failed failed | overdue is overdue | " +
      "missed did not run | due may still start on time",
  );
  const two = outcomes.map((outcome) => schedule(`Other ${outcome}`, { 5: outcome }));
  assertEquals(
    problemParts(summarizeDay([...one, ...two], SPAN)),
    [
      { text: "2 failed", href: "/?day=failed#schedules", isBad: true },
      { text: "2 are overdue", href: "/?day=overdue#schedules", isBad: true },
      { text: "2 did not run", href: "/?day=missed#schedules", isBad: true },
      { text: "2 may still start on time", href: "/?day=waiting#schedules", isBad: false },
    ],
  );
  const flawed = [
    schedule("Margin", { 5: "met", 6: "met" }, { headline: "outside" }),
    schedule("Stock", { 5: "met" }, { headline: "empty" }),
    schedule("Old", { "-9": "met" }, { headline: "outside" }),
    schedule("Feed", { 1: "failed", 2: "failed" }),
  ];
  assertEquals(problemParts(summarizeDay(flawed, SPAN)).map(({ text }) => text), [
    "Feed failed 2 times",
    "Stock delivered nothing",
    "Margin went outside",
  ]);
});

Deno.test("isChosen: the sentence's counts agree with the schedules behind its links", () => {
  const { marks } = summarizeDay(
    [schedule("A", { 1: "met", 2: "failed", 3: "late", 9: "due" })],
    SPAN,
  );
  const count = (choice: Parameters<typeof isChosen>[1]) =>
    marks.filter((mark) => isChosen(mark, choice, NOW)).length;
  assertEquals([count("planned"), count("sent"), count("failed"), count("waiting")], [3, 2, 1, 0]);
});

const MUTED: Silence = {
  kind: "muted",
  until: NOW + 25 * HOUR,
  person: "Bo",
  note: "stocktaking",
  href: "/schedules/103/silence",
};

const row: ScheduleRow = {
  scheduleId: 102,
  name: "Claims",
  isWatched: true,
  reportTitle: "Open claims",
  note: "Finance",
  headline: "failing",
  sentence: "Failing for 1 run.",
  tone: "bad",
  plan: "daily at 05:30, UTC",
  planSource: "inferred",
  planned: [{ at: NOW - HOUR, outcome: "failed", run: null }],
  lastSuccess: NOW - 25 * HOUR,
  people: 6,
  nextDue: FROM + 29.5 * HOUR,
  silences: [],
};

Deno.test("ScheduleTable: shows state and reason, owner, strip, last sent, people and next run", () => {
  const unread: ScheduleRow = {
    ...row,
    ...{ scheduleId: 103, reportTitle: "", note: "", headline: "unknown", sentence: "" },
    ...{ plan: null, planSource: null, planned: [], lastSuccess: null, people: null },
    ...{ nextDue: null, silences: [MUTED, { ...MUTED, kind: "paused" as const, until: null }] },
  };
  const html = htmlOf(<ScheduleTable rows={[row, unread]} now={NOW} hasActions />);
  const [header, first, second] = textsOf(html, "tr");
  assertEquals(
    header,
    "Schedule | State | Owner | Last planned runs | Last sent UTC | People | Next UTC | Choose",
  );
  assertMatch(first, /^102 Claims \| Open claims · daily at 05:30, UTC \(inferred\)/);
  assertMatch(first, /Failing.*Failing for 1 run\..*Finance/);
  assertMatch(first, /yesterday 06:05, 25 h ago \| 6 \| tomorrow 05:30, in 22 h$/);
  assertMatch(html, /aria-label="Planned runs, newest last: 1 failed"/);
  assertMatch(
    second,
    /no plan yet.*Unknown.*muted until tomorrow 08:05 \(Bo: “stocktaking”\) Unmute/,
  );
  assertMatch(second, /paused until further notice.*Resume: 103 Claims.*no runs yet.*never/);
  assertMatch(html, /formaction="\/schedules\/103\/silence"[^>]* name="action" value="resume"/);
  assertEquals(linksOf(html)["102 Claims"], "/schedules/102");
  assertEquals(html.match(/What the marks mean/g)?.length, 1);
  assertMatch(html, /aria-label="Choose 102"/);
  assertEquals(htmlOf(<ScheduleTable rows={[row]} now={NOW} />).includes("Choose"), false);
  const unwatched = htmlOf(<ScheduleTable rows={[{ ...row, isWatched: false }]} now={NOW} />);
  assertMatch(unwatched, /Not watched, read once a day/);
});

Deno.test("OverviewFilterLine: links each headline that occurs, and searches within it", () => {
  const none = Object.fromEntries(HEADLINES.map((each) => [each, 0])) as Record<Headline, number>;
  const counts = { ...none, failing: 1200, unknown: 3, healthy: 5 };
  const html = htmlOf(
    <OverviewFilterLine
      counts={counts}
      filter={{ headline: "unknown", text: "a&b" }}
    />,
  );
  assertEquals(linksOf(html), {
    "1,208 in all": "/?q=a%26b",
    "1,200 failing": "/?state=failing&q=a%26b",
    "5 healthy": "/?state=healthy&q=a%26b",
    "3 unknown": "/?state=unknown&q=a%26b",
    Clear: "/",
  });
  assertMatch(html, /aria-current="true" class="neutral">3 unknown/);
  assertMatch(html, /type="hidden" name="state" value="unknown"/);
  assertMatch(html, /aria-label="Name, owner or id"[^>]*value="a&amp;b"/);
  const plain = htmlOf(<OverviewFilterLine counts={counts} filter={{}} path="/schedules" />);
  assertEquals(plain.includes("Clear"), false);
  assertEquals(linksOf(plain)["5 healthy"], "/schedules?state=healthy");
  assertEquals([html, plain].map((each) => each.includes("data-announced")), [false, true]);
  const day = htmlOf(<OverviewFilterLine counts={counts} filter={{ day: "failed" }} />);
  assertEquals(textsOf(day, "p"), ["Today’s reports: failed."]);
  assertEquals(
    overviewHref({ headline: "flaky", owner: "ada" }, 30),
    "/?state=flaky&owner=ada&offset=30",
  );
});

const attention: AttentionRow = {
  id: "a",
  code: "failing",
  scheduleId: 102,
  runHref: null,
  name: "Claims",
  owner: "Finance",
  summary: "Failing for 7 runs",
  mark: ["✕", "bad"],
  since: NOW - 50 * HOUR,
  opened: NOW - 26 * HOUR,
  acknowledgedBy: null,
  acknowledged: null,
  sent: [{ outlet: "webhook", at: NOW - HOUR }],
  unsent: ["mail", "pager"].map((outlet) => ({
    ...{ outlet, label: outlet, sent: null, waiting: 1 },
    ...{ failingSince: NOW - HOUR, waitingSince: NOW - HOUR, givenUp: null },
  })),
};

Deno.test("NeedsSomebody: shows unacknowledged incidents with actions, and one line for each other group", () => {
  const html = htmlOf(
    <NeedsSomebody
      needed={{ items: [attention], total: 9 }}
      ownedByLeavers={{ items: [{ name: "Stock", href: "/schedules/103" }], total: 3 }}
      acknowledged={{
        items: [{ ...attention, id: "b", name: "Feed", acknowledgedBy: "Ada", acknowledged: NOW }],
        total: 1,
      }}
      silenced={{
        items: [{
          ...{ name: "Stock", href: "/incidents/c" },
          silence: { ...MUTED, href: "/incidents/c" },
        }],
        total: 1,
      }}
      unread="none"
      person="Ada"
      now={NOW}
      next="/?state=failing"
    />,
  );
  assertEquals(textsOf(html, "h2"), ["Needs somebody (9)"]);
  const [article] = textsOf(html, "article");
  assertMatch(
    article,
    /Claims.*102 · Finance.*Failing for 7 runs.*began Sat 21 Nov 05:05.*noticed yesterday 05:05/,
  );
  assertMatch(article, /Sent: webhook 06:05.*Not sent: mail, failing.* ago, pager, failing/);
  assertMatch(article, /Acknowledge: Claims: Failing for 7 runs.*Mute for a day/);
  const text = textOf(html);
  assertMatch(text, /Owned in the service by somebody who left: Stock and 2 more/);
  assertMatch(text, /1 acknowledged:.*Feed.*Ada.*23 Nov/);
  assertMatch(
    text,
    /1 muted or paused:.*Stock.*muted until tomorrow 08:05.*Bo: “stocktaking”.*Unmute/,
  );
  assertEquals(linksOf(html)["All 10 open incidents"], "/incidents?state=open");
  assertMatch(html, /formaction="\/incidents\/c" formnovalidate name="action" value="unmute"/);
  assertMatch(html, /type="hidden" name="next" value="\/\?state=failing"/);
  assertMatch(html, /<input name="name" [^>]*value="Ada"/);
  // The Enter key in the field presses a button that does nothing.
  assertMatch(
    html,
    /<form[^>]*>(<input type="hidden"[^>]*>)*<button type="submit" disabled hidden/,
  );
});

function calmWith(unread: "all" | "some" | "none", ...items: AttentionRow[]): string {
  const none = { items: [], total: 0 };
  return htmlOf(
    <NeedsSomebody
      needed={{ items, total: items.length }}
      ownedByLeavers={none}
      acknowledged={none}
      silenced={none}
      unread={unread}
      person=""
      now={NOW}
      next="/"
    />,
  );
}

Deno.test("NeedsSomebody: without anything to do, says so and has no name field", () => {
  const text = textOf(calmWith("none"));
  assertEquals(text, "| Needs somebody | Nothing needs attention now. |");
});

Deno.test("NeedsSomebody: what was not read yet is never said to need nothing", () => {
  assertMatch(textOf(calmWith("all")), /Nothing was read yet\./);
  assertMatch(textOf(calmWith("some")), /Nothing that was read so far needs attention\./);
});

Deno.test("NeedsSomebody: an unknown status has links to what it means, and to the run", () => {
  const summary = "Sales finished with ARCHIVED, which Docket does not know";
  const runHref = "/schedules/101/runs/9";
  const links = linksOf(
    calmWith("none", { ...attention, code: "unknown-status", summary, runHref }),
  );
  assertEquals(links["Say what it means"], "/service");
  assertEquals(links["look at the run"], runHref);
});

Deno.test("LaterToday, WhoIsNotified: show the next runs by time, and unsent messages", () => {
  const planned = { 8: "due", 9: "due", 10: "due", 11: "due", 12: "due", 13: "due", 14: "due" };
  const summary = summarizeDay(
    [schedule("Orders", { ...planned as Record<string, "due">, 6: "due" })],
    SPAN,
  );
  const later = htmlOf(<LaterToday later={laterToday(summary)} now={NOW} />);
  assertEquals(textsOf(later, "li")[0], "08:00Ordersin 55 min");
  assertEquals([textsOf(later, "li").length, textsOf(later, "p")], [6, ["and 1 more run today"]]);
  const outlet = {
    ...{ outlet: "mail", label: "mail", sent: NOW - HOUR },
    ...{ waiting: 0, failingSince: null, waitingSince: null, givenUp: null },
  };
  const html = htmlOf(
    <WhoIsNotified
      outlets={[
        outlet,
        { ...outlet, outlet: "x", label: "webhook", waiting: 4, failingSince: NOW - 2 * HOUR },
      ]}
      others={3}
      now={NOW}
    />,
  );
  // Silence is no sign that a channel works, and what was given up or is held is no success.
  const tones = [
    [{ sent: null }, "off", "nothing sent yet"],
    [{ waiting: 1, waitingSince: NOW - HOUR }, "bad", "waiting since 06:05, 1 h ago"],
    [{ waiting: 1, waitingSince: NOW - 5000 }, "good", "waiting since 07:04, 5 s ago"],
    [{ waiting: 1, waitingSince: NOW + HOUR }, "good", "held until 08:05: quiet hours"],
    [{ givenUp: NOW - 5000 }, "bad", "given up 07:04, 5 s ago"],
    [{ givenUp: NOW - 2 * HOUR }, "good", "last sent 06:05, 1 h ago"],
  ] as const;
  for (const [health, tone, words] of tones) {
    const list = htmlOf(<ChannelList channels={[{ ...outlet, ...health }]} now={NOW} />);
    assertMatch(list, new RegExp(`class="status ${tone}"`));
    assertMatch(textOf(list), new RegExp(`${words} \\|$`));
  }
  assertEquals(textsOf(html, "li"), [
    "mail last sent 06:05, 1 h ago",
    "webhook, 4 waiting failing since 05:05, 2 h ago",
  ]);
  assertMatch(
    textOf(htmlOf(<WhoIsNotified outlets={[]} others={0} now={NOW} />)),
    /Nobody: no webhook/,
  );
});
