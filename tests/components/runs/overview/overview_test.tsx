import { assert, assertEquals, assertMatch } from "@std/assert";
import { hoursUntil } from "../../../../components/runs/charts/day_grid.ts";
import { DueNext } from "../../../../components/runs/overview/due_next.tsx";
import { OpenIncidents } from "../../../../components/runs/overview/open_incidents.tsx";
import {
  OverviewFilterForm,
  overviewHref,
  StateCounts,
} from "../../../../components/runs/overview/overview_filter.tsx";
import { OverviewTable } from "../../../../components/runs/overview/overview_table.tsx";
import { type Headline, HEADLINES } from "../../../../lib/judgement/headline.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 20, 12, 30);

Deno.test("OverviewTable: a row a schedule, its headline and why, and an hour a cell", () => {
  const hours = hoursUntil(NOW);
  const html = htmlOf(
    <OverviewTable
      rows={[
        {
          scheduleId: 102,
          name: "Claims",
          reportTitle: "",
          note: "Ada",
          headline: "failing",
          sentence: "Failing for 7 runs.",
          tone: "bad",
          lastSuccess: NOW - 3 * HOUR,
          isCut: true,
          cells: hours.map((_, at) =>
            at === 23
              ? { bad: 1, good: 2, failedRun: 7 }
              : at === 22
              ? { good: 1, isUnplanned: true }
              : {}
          ),
        },
        {
          scheduleId: 103,
          name: "",
          reportTitle: "",
          note: "",
          headline: "unknown",
          sentence: "",
          tone: "neutral",
          lastSuccess: null,
          isCut: false,
          cells: hours.map(() => ({})),
        },
      ]}
      hours={hours}
      now={NOW}
    />,
    "Europe/Berlin",
  );
  const [headings, first, second] = textsOf(html, "tr");
  assert(headings.startsWith("Schedule | 14 | 15 |") && headings.endsWith("| 13"), headings);
  assertEquals(
    first,
    "Failing 102 Claims | Failing for 7 runs.Ada · last success 3 h agoOnly the newest runs are " +
      "shown. | ✓ | ✕",
  );
  assertEquals(second, "Unknown 103");
  // A failure leads to its run.
  assertMatch(
    html,
    /<a class="cell bad" href="\/schedules\/102\/runs\/7" title="13:00: 1 failed, 2 succeeded" aria-label="[^"]*">✕/,
  );
  assertMatch(
    html,
    /<b class="cell good free" role="img" title="12:00: 1 succeeded, not planned">/,
  );
  assertMatch(html, /role="region" aria-label="Runs by hour"/);
  assertEquals(textsOf(html, "caption"), [
    "Watched schedules and their last 24 hours, times in Berlin time",
  ]);
  assertMatch(html, /<span class="tier bad">Failing/);
  assertMatch(html, /<span class="status bad"><span aria-hidden="true">✕<\/span> Failing/);
  assertMatch(html, /<time datetime="[^"]*" title="2026-01-20 10:30 Berlin time">3 h ago/);
  assertMatch(
    textsOf(html, "p")[0],
    /◷ succeeded late.*Without a frame: not planned\.$/,
  );
});

Deno.test("StateCounts: each headline that occurs is a link to its schedules, and the chosen one leads back", () => {
  const of = (schedules: number, critical = 0) => ({ schedules, critical });
  const none = Object.fromEntries(HEADLINES.map((each) => [each, of(0)])) as Record<
    Headline,
    ReturnType<typeof of>
  >;
  const html = htmlOf(
    <StateCounts
      counts={{ ...none, failing: of(1200, 7), missed: of(2), unknown: of(3), healthy: of(5, 1) }}
      filter={{ headline: "unknown", owner: "ada" }}
    />,
  );
  assertEquals(linksOf(html), {
    "1,200 Failing": "/?state=failing&owner=ada",
    "2 Missed": "/?state=missed&owner=ada",
    "5 Healthy, 1 with a critical incident": "/?state=healthy&owner=ada",
    "3 Unknown": "/?owner=ada",
  });
  const classes = [...html.matchAll(/class="(\w+)"><b>/g)].map(([, name]) => name);
  assertEquals(classes, ["bad", "drift", "good", "neutral"]);
  assertMatch(html, /aria-current="true" class="neutral"/);
});

Deno.test("OverviewFilterForm: shows what is filtered by, and can be cleared", () => {
  const html = htmlOf(
    <OverviewFilterForm filter={{ headline: "late", text: "a&b", owner: "ada" }} />,
  );
  assertMatch(html, /<option value="late" selected/);
  assertMatch(html, /name="owner"[^>]*value="ada"/);
  assertMatch(html, /name="q"[^>]*value="a&amp;b"/);
  assertEquals(textsOf(html, "label"), ["State", "Owner", "Name, owner or id"]);
  assertEquals(textsOf(html, "option"), ["all", ...HEADLINES]);
  assertEquals([textsOf(html, "legend"), textsOf(html, "button")], [["Filter"], ["Filter"]]);
  assertEquals(linksOf(html), { Clear: "/" });
  assertEquals(linksOf(htmlOf(<OverviewFilterForm filter={{}} />)), {});
  assertEquals(overviewHref({ text: "a&b" }, 30), "/?q=a%26b&offset=30");
  assertEquals(overviewHref({}), "/");
  // Neither a link nor the form ends the refreshing.
  const refreshed = htmlOf(<OverviewFilterForm filter={{ headline: "late", refresh: 60 }} />);
  assertMatch(refreshed, /<input type="hidden" name="refresh" value="60"/);
  assertEquals(linksOf(refreshed), { Clear: "/?refresh=60" });
  assertEquals(
    overviewHref({ headline: "flaky", refresh: 60 }, 30),
    "/?state=flaky&offset=30&refresh=60",
  );
});

Deno.test("OpenIncidents: the most severe first, each with its age and what can be done", () => {
  const incident = (id: string, more = {}) => ({
    id,
    severity: "critical",
    summary: `Schedule ${id} fails`,
    since: NOW - 50 * HOUR,
    opened: NOW - 26 * HOUR,
    acknowledgedBy: null,
    mutedUntil: null,
    ...more,
  });
  const html = htmlOf(
    <OpenIncidents
      total={9}
      incidents={[
        incident("a"),
        incident("b", { acknowledgedBy: "Ada", severity: "warning" }),
        incident("c", { mutedUntil: NOW + 2 * HOUR }),
        incident("d", { since: null, mutedUntil: NOW - 1 }),
      ]}
      person="Ada"
      now={NOW}
      next="/?state=down"
    />,
  );
  assertEquals(textsOf(html, "h2"), ["Open incidents (9)"]);
  assertEquals(textsOf(html, "li"), [
    "⚠ criticalSchedule a fails | since 18 Jan, opened 26 h ago | Acknowledge: Schedule a failsMute for a day: Schedule a fails",
    "◆ warningSchedule b fails | since 18 Jan, opened 26 h ago, acknowledged by Ada | Mute for a day: Schedule b fails",
    "⚠ criticalSchedule c fails | since 18 Jan, opened 26 h ago, muted, ends in 2 h | Acknowledge: Schedule c failsUnmute: Schedule c fails",
    "⚠ criticalSchedule d fails | opened 26 h ago | Acknowledge: Schedule d failsMute for a day: Schedule d fails",
  ]);
  assertEquals(linksOf(html)["All open incidents"], "/incidents?state=open");
  assertMatch(html, /formaction="\/incidents\/a"[^>]*name="action"[^>]*value="acknowledge"/);
  assertMatch(html, /<form id="[^"]*" method="post" action="\/incidents"/);
  assertMatch(html, /type="hidden" name="next" value="\/\?state=down"/);
  assertMatch(html, /type="hidden" name="span" value="1d"/);
  assertMatch(html, /<input name="name" [^>]*value="Ada"/);
  // The Enter key in the field presses a button that does nothing.
  assert(html.indexOf("<button") === html.search(/<button type="submit" disabled hidden/));
  assertEquals(
    textOf(htmlOf(<OpenIncidents total={0} incidents={[]} person="" now={NOW} next="/" />)),
    "| Open incidents | No open incidents. |",
  );
});

Deno.test("DueNext: the soonest first, relative and exact", () => {
  const html = htmlOf(
    <DueNext
      isMore={false}
      due={[{ scheduleId: 7, name: "Sales", at: NOW + 125 * 60_000, source: "inferred" }]}
      now={NOW}
    />,
  );
  assertEquals(textsOf(html, "li"), ["in 2 h 7 Sales (inferred)"]);
  assertEquals(linksOf(html), { "7 Sales": "/schedules/7" });
  assertEquals(textsOf(htmlOf(<DueNext due={[]} isMore={false} now={NOW} />), "p"), [
    "No watched schedule has a known next run.",
  ]);
});
