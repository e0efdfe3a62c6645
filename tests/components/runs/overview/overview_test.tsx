import { assertEquals, assertMatch } from "@std/assert";
import {
  daySentence,
  outlook,
  troubleParts,
} from "../../../../components/runs/overview/day_words.ts";
import {
  isChosen,
  type ScheduleOfDay,
  summarizeDay,
} from "../../../../lib/judgement/day_summary.ts";
import type { ShownIncident } from "../../../../components/runs/incidents/incident_rows.tsx";
import { Lede } from "../../../../components/runs/overview/lede.tsx";
import { NeedsAttention } from "../../../../components/runs/overview/needs_attention.tsx";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../../../components/runs/overview/overview_filter.tsx";
import type { ScheduleRow } from "../../../../components/runs/overview/schedule_table.tsx";
import { ScheduleTable } from "../../../../components/runs/overview/schedule_table.tsx";
import { ChannelList } from "../../../../components/runs/owners/channel_list.tsx";
import { LaterToday, WhoIsNotified } from "../../../../components/runs/overview/today_side.tsx";
import type { Silence } from "../../../../lib/judgement/incidents/silence.ts";
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

/** How the day goes. */
function said(...schedules: readonly ScheduleOfDay[]): string {
  return daySentence(summarizeDay(schedules, SPAN), clock).map(({ text }) => text).join("");
}

Deno.test("daySentence: says how many reports went out, and to how many different people", () => {
  const sales = schedule("Sales", { 6: "met", 7: "late" }, { reached: "a b" });
  const cash = schedule("Cash", { 5: "by-hand" }, { reached: "b c" });
  assertEquals(said(sales, cash), "All 3 reports due by now have gone out, to 3 people.");
  const claims = schedule("Claims", { 5: "failed" }, { reached: "x" });
  assertEquals(
    said(sales, claims),
    "2 of 3 reports due by now have gone out, to 2 people.",
  );
  // The day before, later today, excused runs and those that nobody planned don't count.
  const others = schedule("Others", { "-1": "met", 5: "excused", 6: "extra", 9: "due" });
  assertEquals(said(cash, others), "The 1 report due by now has gone out, to 2 people.");
  assertEquals(said(claims), "The report due by now has not gone out.");
  const unnamed = schedule("Unnamed", { 6: "met" }, { people: 40 });
  assertEquals(said(unnamed), "The 1 report due by now has gone out, to about 40 people.");
});

Deno.test("daySentence: what ended with an unknown status is never said not to have gone out", () => {
  const orders = schedule("Orders", { 6: "other", 7: "other" });
  assertEquals(said(orders), "None of the 2 reports due by now is known to have gone out.");
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

Deno.test("troubleParts: the worst first; three schedules are named, others counted, all are links", () => {
  const states = ["healthy", "unknown", "outside", "overdue", "failing", "flaky"] as const;
  const one = states.map((headline) => schedule(headline, {}, { headline }));
  const parts = (...schedules: readonly ScheduleOfDay[]) =>
    troubleParts(summarizeDay(schedules, SPAN)).map(({ text, href }) => `${text} ${href}`);
  assertEquals(parts(...one, schedule("Old", { 5: "missed" })), [
    "failing failed /schedules/7",
    "overdue is overdue /schedules/7",
    "outside went outside /schedules/7",
    "1 report has an unknown result /?state=unknown#schedules",
    "1 report did not run /?day=missed#schedules",
  ]);
  const two = [
    schedule("Stock", {}, { headline: "empty" }),
    schedule("Feed", {}, { headline: "empty" }),
  ];
  assertEquals(parts(...two), ["2 reports delivered nothing /?state=empty#schedules"]);
  assertEquals(parts(schedule("Claims", { 5: "failed", 6: "met" })), []);
  const left = schedule("Margin", { 5: "met" }, { headline: "outside", isOfLeaver: true });
  assertEquals(parts(left), ["Margin went to somebody who left /schedules/6"]);
});

Deno.test("outlook: counts once each who waits for a report, and what comes later", () => {
  const schedules = [
    schedule("Claims", { 5: "failed", 9: "due" }, { headline: "failing", reached: "a b" }),
    schedule("Stock", { 6: "overdue", 8: "due" }, { headline: "overdue", reached: "b c" }),
    schedule("Margin", { 5: "met" }, { headline: "outside", reached: "d" }),
  ];
  const words = (...some: readonly ScheduleOfDay[]) => outlook(summarizeDay(some, SPAN), clock);
  assertEquals(
    words(...schedules),
    "3 people are still waiting. 2 more runs are due today, the next at 08:00.",
  );
  assertEquals(words(schedules[2]), "");
  // Before the first, the sentence before it says when that is.
  assertEquals(words(schedule("Sales", { 9: "due" })), "1 run is due today.");
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
  incidentId: null,
  scheduleId: 103,
};

const row: ScheduleRow = {
  scheduleId: 102,
  name: "Claims",
  isWatched: true,
  reportTitle: "Open claims",
  note: "Finance",
  headline: "failing",
  sentence: "Failing for 1 run.",
  isRead: true,
  failure: null,
  plan: "daily at 05:30, UTC",
  planSource: "inferred",
  planned: [{ at: NOW - HOUR, outcome: "failed", run: null }],
  lastSuccess: NOW - 25 * HOUR,
  people: 6,
  nextDue: FROM + 29.5 * HOUR,
  silences: [],
};

Deno.test("ScheduleTable: a schedule that was never read says whether it can be", () => {
  const states = [null, "status 403"].map((failure) =>
    textOf(
      htmlOf(<ScheduleTable rows={[{ ...row, isRead: false, failure }]} now={NOW} hasActions />),
    )
  );
  assertMatch(states[0], /not read yet/);
  assertMatch(states[1], /can't be read/);
});

Deno.test("Lede: says how many schedules were not read yet, and how many can't be", () => {
  const lede = (unread: number, unreadable: number) =>
    textOf(
      htmlOf(
        <Lede
          summary={summarizeDay([], SPAN)}
          needed={0}
          count={4}
          unread={unread}
          unreadable={unreadable}
        />,
      ),
    );
  assertMatch(lede(1, 2), /1 schedule was not read yet\. 2 schedules can't be read\./);
  assertMatch(lede(2, 2), /Docket is reading 4 schedules for the first time\./);
  assertMatch(lede(0, 4), /Docket can't read 4 schedules\./);
});

Deno.test("ScheduleTable: shows plan, owner, state, why, strip, last sent, people and next run", () => {
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
    "Schedule | State | Why | Last 20 planned runs | Last sent UTC | People | Next run UTC | Choose",
  );
  assertMatch(first, /^Claims 102 \| Open claims · daily at 05:30, UTC \(inferred\) · Finance/);
  assertMatch(first, /Failing.*Failing for 1 run\./);
  assertMatch(first, /yesterday 06:05, 25 h ago \| 6 \| tomorrow 05:30, in 22 h$/);
  assertMatch(html, /aria-label="Planned runs, newest last: 1 failed"/);
  assertMatch(
    second,
    /no plan yet.*Unknown.*muted until tomorrow 08:05 \(Bo: “stocktaking”\) Unmute/,
  );
  assertMatch(second, /paused until further notice.*Resume: 103 Claims.*no runs yet.*never/);
  assertMatch(html, /formaction="\/schedules\/103\/silence"[^>]* name="action" value="resume"/);
  assertMatch(html, /<a href="\/schedules\/102">Claims<\/a>/);
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
    "All 1,208": "/?q=a%26b",
    "Failing 1,200": "/?state=failing&q=a%26b",
    "Healthy 5": "/?state=healthy&q=a%26b",
    "Unknown 3": "/?state=unknown&q=a%26b",
    Clear: "/",
  });
  assertMatch(html, /aria-current="true" class="neutral">Unknown <b>3</);
  assertMatch(html, /type="hidden" name="state" value="unknown"/);
  assertMatch(html, /aria-label="Filter by name, owner or id"[^>]*value="a&amp;b"/);
  const plain = htmlOf(<OverviewFilterLine counts={counts} filter={{}} path="/schedules" />);
  assertEquals(plain.includes("Clear"), false);
  assertEquals(linksOf(plain)["Healthy 5"], "/schedules?state=healthy");
  assertEquals([html, plain].map((each) => each.includes("data-announced")), [false, true]);
  const day = htmlOf(<OverviewFilterLine counts={counts} filter={{ day: "failed" }} />);
  assertEquals(textsOf(day, "p"), ["Today’s reports: failed."]);
  assertEquals(
    overviewHref({ headline: "flaky", owner: "ada" }, 30),
    "/?state=flaky&owner=ada&offset=30",
  );
});

const attention: ShownIncident = {
  id: "a",
  code: "failing",
  reason: { code: "failing", severity: "critical" },
  scheduleId: 102,
  run: null,
  name: "Claims",
  owner: "Finance",
  summary: "Failing for 7 runs",
  since: NOW - 50 * HOUR,
  opened: NOW - 26 * HOUR,
  resolved: null,
  acknowledgedBy: null,
  sent: [{ outlet: "webhook", at: NOW - HOUR }],
  unsent: ["mail", "pager"].map((outlet) => ({
    ...{ outlet, label: outlet, sent: null, waiting: 1 },
    ...{ failingSince: NOW - HOUR, waitingSince: NOW - HOUR, givenUp: null },
  })),
  planned: [{ at: NOW - HOUR, outcome: "failed", run: null }],
  lastSuccess: NOW - 50 * HOUR,
  people: 7,
  silences: [],
};

const NONE = { items: [], total: 0 };

function needs(more: Partial<Parameters<typeof NeedsAttention>[0]> = {}): string {
  return htmlOf(
    <NeedsAttention
      needed={NONE}
      ownedByLeavers={NONE}
      acknowledged={NONE}
      silenced={NONE}
      unread="none"
      now={NOW}
      next="/?state=failing"
      {...more}
    />,
  );
}

const rowsOf = (...rows: readonly ShownIncident[]) => ({
  items: rows.map((row) => ({ row, group: null })),
  total: rows.length,
});

Deno.test("NeedsAttention: each incident has a form of its own, and what needs nobody a line", () => {
  const html = needs({
    needed: { ...rowsOf(attention), total: 9 },
    ownedByLeavers: { items: [{ name: "Stock", scheduleId: 103 }], total: 3 },
    acknowledged: {
      items: [{ ...attention, id: "b", name: "Feed", acknowledgedBy: "Ada", acknowledged: NOW }],
      total: 1,
    },
    silenced: { items: [{ name: "Stock", silence: { ...MUTED, incidentId: "c" } }], total: 1 },
  });
  assertEquals(textsOf(html, "h2"), ["Needs attention 9"]);
  const [article] = textsOf(html, "article");
  assertMatch(
    article,
    /Claims.*102.*7 people have had no report for 2 days\. Failing for 7 runs\..*Since Sat 21 Nov 05:05, found yesterday 05:05 · Finance/,
  );
  assertMatch(
    article,
    /Notified: webhook today 06:05.*Not notified: mail, failing.*, pager, failing/,
  );
  assertMatch(html, /<form method="post" action="\/incidents\/a"/);
  const text = textOf(html);
  assertMatch(text, /Owned in the service by somebody who left: Stock and 2 more/);
  assertMatch(text, /1 acknowledged:.*Feed.*Ada.*23 Nov/);
  assertMatch(
    text,
    /1 muted or paused:.*Stock.*muted until tomorrow 08:05.*Bo: “stocktaking”.*Unmute/,
  );
  assertEquals(linksOf(html)["8 more open incidents"], "/incidents");
  assertMatch(html, /formaction="\/incidents\/c" formnovalidate name="action" value="unmute"/);
  assertMatch(html, /type="hidden" name="next" value="\/\?state=failing"/);
});

Deno.test("NeedsAttention: many incidents of one cause are one row with one action", () => {
  const group = {
    ...{ code: "overdue", severity: "critical", count: 14, since: FROM + 2 * HOUR },
    named: [{ scheduleId: 102, name: "Claims" }],
  };
  const html = needs({ needed: { items: [{ row: null, group }], total: 14 } });
  assertEquals(textsOf(html, "h3"), ["14 reports have not started"]);
  assertMatch(textOf(html), /Due since today 02:00: the scheduler\? Claims and 13 more/);
  assertMatch(html, /name="code" value="overdue"/);
  assertMatch(textOf(html), /Acknowledge 14/);
  assertEquals(linksOf(html)["13 more"], "/incidents?code=overdue");
});

Deno.test("NeedsAttention: begins with the people who have no report", () => {
  const words = (more: Partial<ShownIncident>) => {
    const [article] = textsOf(needs({ needed: rowsOf({ ...attention, ...more }) }), "article");
    return article.match(/\d+ (?:people|person)[^.]*\./)?.[0];
  };
  assertEquals(words({}), "7 people have had no report for 2 days.");
  assertEquals(words({ code: "overdue", people: 1 }), "1 person is waiting.");
  const silent = [{ people: null }, { people: 0 }, { lastSuccess: null }, { code: "flaky" }];
  assertEquals(silent.map(words), [undefined, undefined, undefined, undefined]);
});

Deno.test("NeedsAttention: says that nothing does only of what was read", () => {
  const text = (unread: "none" | "all" | "some") => textOf(needs({ unread }));
  assertEquals(text("none"), "| Needs attention | All incidents | Nothing needs attention now. |");
  assertMatch(text("all"), /Nothing was read yet\./);
  assertMatch(text("some"), /Nothing that was read so far needs attention\./);
});

Deno.test("NeedsAttention: an unknown status has links to what it means, and to the run", () => {
  const run = { scheduleId: 101, runId: 9 };
  const links = linksOf(needs({ needed: rowsOf({ ...attention, code: "unknown-status", run }) }));
  assertEquals(links["Say what it means"], "/service");
  assertEquals(links["look at the run"], "/schedules/101/runs/9");
});

Deno.test("LaterToday, WhoIsNotified: show the next runs by time, and unsent messages", () => {
  const planned = { 8: "due", 9: "due", 10: "due", 11: "due", 12: "due", 13: "due", 14: "due" };
  const summary = summarizeDay(
    [schedule("Orders", { ...planned as Record<string, "due">, 6: "due" })],
    SPAN,
  );
  const later = htmlOf(<LaterToday summary={summary} now={NOW} />);
  assertEquals(textsOf(later, "li")[0], "08:00 Orders in 55 min");
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
    [{ waiting: 1, waitingSince: NOW - HOUR }, "bad", "waiting since today 06:05, 1 h ago"],
    [{ waiting: 1, waitingSince: NOW - 5000 }, "good", "waiting since today 07:04, 5 s ago"],
    [{ waiting: 1, waitingSince: NOW + HOUR }, "good", "held until today 08:05: quiet hours"],
    [{ givenUp: NOW - 5000 }, "bad", "failed today 07:04, 5 s ago"],
    [{ givenUp: NOW - 2 * HOUR }, "good", "last sent today 06:05, 1 h ago"],
  ] as const;
  for (const [health, tone, words] of tones) {
    const list = htmlOf(<ChannelList channels={[{ ...outlet, ...health }]} now={NOW} />);
    assertMatch(list, new RegExp(`class="status ${tone}"`));
    assertMatch(textOf(list), new RegExp(`${words} \\|$`));
  }
  assertEquals(textsOf(html, "li"), [
    "mail last sent today 06:05, 1 h ago",
    "webhook, 4 waiting failing since today 05:05, 2 h ago",
  ]);
  assertMatch(
    textOf(htmlOf(<WhoIsNotified outlets={[]} others={0} now={NOW} />)),
    /Nobody is notified/,
  );
});
