import { AddressesShown } from "../../../../components/runs/recipients/address.tsx";
import { assertEquals } from "@std/assert";
import {
  lastSuccessAndFirstFailure,
  PeriodsForm,
  RunsForm,
} from "../../../../components/runs/compare/compare_forms.tsx";
import { readPeriod } from "../../../../components/runs/compare/named_period.ts";
import {
  type ComparedPeriod,
  PeriodComparison,
} from "../../../../components/runs/compare/period_comparison.tsx";
import { summarizePeriod } from "../../../../lib/runs/period.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";

const dictionary = defaultStatusDictionary();
const DAY = 86_400_000;
/** A Wednesday. */
const NOW = Date.UTC(2026, 2, 4, 12);

Deno.test("readPeriod: names, with weeks from Monday and whole months", () => {
  const days = (text: string) => {
    const period = readPeriod(text, { now: NOW, zone: "UTC" });
    return typeof period === "string" ? period : `${period.first} ${period.last}`;
  };
  assertEquals(days("this-week"), "2026-03-02 2026-03-08");
  assertEquals(days("last-week"), "2026-02-23 2026-03-01");
  assertEquals(days("this-month"), "2026-03-01 2026-03-31");
  assertEquals(days("last-month"), "2026-02-01 2026-02-28");
  assertEquals(days("last-7-days"), "2026-02-26 2026-03-04");
  assertEquals(days("previous-7-days"), "2026-02-19 2026-02-25");
  assertEquals(days("last-30-days"), "2026-02-03 2026-03-04");
  assertEquals(days("previous-30-days"), "2026-01-04 2026-02-02");
  assertEquals(days("2026-01-31"), "2026-01-31 2026-01-31");
  assertEquals(days(" 2026-01-30 .. 2026-01-31 "), "2026-01-30 2026-01-31");
  assertEquals(days("2026-01-31..2026-01-30"), "must not end before it begins");
  for (
    const text of ["", "x", "2026-02-30", "2026-01-01..", "2026-01-01..2026-01-02..2026-01-03"]
  ) {
    assertEquals([text, days(text).slice(0, 17)], [text, "must be two days "]);
  }
});

Deno.test("readPeriod: days are those of the zone", () => {
  const period = readPeriod("2026-03-01", { now: NOW, zone: "Europe/Berlin" });
  assertEquals(period, {
    first: "2026-03-01",
    last: "2026-03-01",
    start: Date.UTC(2026, 1, 28, 23),
    end: Date.UTC(2026, 2, 1, 23),
  });
  const sunday = Date.UTC(2026, 2, 1, 12);
  const week = readPeriod("this-week", { now: sunday, zone: "UTC" });
  assertEquals(typeof week === "object" && week.first, "2026-02-23");
});

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };
const ben = { userId: 2, displayName: "Ben", emailAddress: "ben@example.org" };

/** A run on a day of March that takes so many seconds. */
function runOn(day: number, seconds: number, rest: Partial<ReportRun> = {}): ReportRun {
  const start = Date.UTC(2026, 2, day, 6);
  return {
    id: day,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + seconds * 1000).toISOString(),
    status: "success",
    ...rest,
  };
}

const runs = [
  runOn(1, 10, { attachmentSize: 1000, emailSize: 10, recipients: [ann] }),
  runOn(2, 30, { status: "failure", attachmentSize: 3000 }),
  runOn(3, 20, { attachmentSize: 5000, recipients: [ann] }),
  runOn(8, 60, { status: "paused", recipients: [ann, ben] }),
];

function periodOf(first: number, last: number, rest: Partial<ComparedPeriod> = {}): ComparedPeriod {
  const start = Date.UTC(2026, 2, first);
  const end = Date.UTC(2026, 2, last) + DAY;
  const day = (number: number) => `2026-03-0${number}`;
  return {
    first: day(first),
    last: day(last),
    start,
    end,
    summary: summarizePeriod(runs, { start, end }, dictionary),
    missed: 0,
    isPartial: false,
    isRunning: false,
    ...rest,
  };
}

Deno.test("PeriodComparison: each figure of both periods, and who came and went", () => {
  const html = htmlOf(
    <PeriodComparison
      first={periodOf(1, 3)}
      second={periodOf(7, 9, { missed: 2, isRunning: true, isPartial: true })}
    />,
  );
  assertEquals(textsOf(html, "tr"), [
    "Figure | 2026-03-01 to 2026-03-03 | 2026-03-07 to 2026-03-09 | Change",
    "Runs | 3 | 1 | −67 %",
    "Status failure | 1 | 0 | −100 %",
    "Status paused | 0 | 1 | more",
    "Status success | 2 | 0 | −100 %",
    "Failed | 33.3 % | none | unknown",
    "Missed | 0 | 2 | more",
    "Duration, median | 20 s | 1 min | +200 %",
    "Duration, 95th percentile | 29 s | 1 min | +107 %",
    "Attachment size, median | 3.0 KB | none | unknown",
    "Email size, median | 10 bytes | none | unknown",
    "Recipients | 1 | 2 | +100 %",
  ]);
  assertEquals(textsOf(html, "caption"), ["Differences between two periods"]);
  assertEquals(textsOf(html, "p"), [
    "2026-03-07 to 2026-03-09 has not ended yet.",
    "Some runs of 2026-03-07 to 2026-03-09 may not have been loaded, so the real counts may be higher.",
    "1 recipient in both, 1 added, 0 removed.",
  ]);
  assertEquals(textsOf(html, "h3"), ["Added"]);
  assertEquals(textsOf(html, "li"), ["Ben, b…@example.org"]);
});

Deno.test("PeriodComparison: says what can't be compared", () => {
  const html = htmlOf(
    <AddressesShown.Provider value>
      <PeriodComparison
        first={periodOf(5, 5, { missed: null })}
        second={periodOf(5, 5, { missed: null })}
      />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(html, "p").slice(1), [
    "No run started in 2026-03-05.",
    "Missed runs are unknown: this schedule has no plan.",
    "Recipients can't be compared: no run of one of the periods lists them.",
  ]);
});

Deno.test("lastSuccessAndFirstFailure: the newest turn from good to bad", () => {
  const of = (...statuses: string[]) =>
    lastSuccessAndFirstFailure(statuses.map((status, id) => ({ id, status })), dictionary)
      ?.map(({ id }) => id);
  assertEquals(of("failure", "paused", "failure", "success", "success"), [3, 2]);
  assertEquals(of("success", "failure", "success"), [2, 1]);
  assertEquals(of("success", "success"), undefined);
  assertEquals(of("failure", "failure"), undefined);
});

Deno.test("RunsForm: one run alone has nothing to be compared with", () => {
  const html = htmlOf(
    <RunsForm
      scheduleId={1}
      runs={[{ id: 9 }]}
      typed={{ values: {}, issues: {} }}
      dictionary={dictionary}
      zone="UTC"
    />,
  );
  assertEquals(linksOf(html), {});
});

Deno.test("RunsForm, PeriodsForm: what was typed, what is wrong, and common comparisons", () => {
  const typed = { values: { before: "7", first: "soon" }, issues: { before: "is not known" } };
  const html = htmlOf(
    <AddressesShown.Provider value>
      <RunsForm
        scheduleId={102}
        runs={[{ id: 9, status: "failure", startTime: "2026-03-09T06:00:00Z" }, {
          id: 8,
          status: "success",
        }]}
        typed={typed}
        dictionary={dictionary}
        zone="UTC"
      />
    </AddressesShown.Provider>,
  );
  assertEquals(linksOf(html), {
    "Latest two runs": "/schedules/102/compare?before=8&after=9",
    "Last success and first failure": "/schedules/102/compare?before=8&after=9",
  });
  assertEquals(textsOf(html, "option"), ["2026-03-09 06:00 failure", "run 8 success"]);
  assertEquals(textsOf(html, "p"), ["✕ Before (run id) is not known."]);
  assertEquals(/id="before"[^>]* value="7"/.test(html), true);
  assertEquals(html.includes('name="addresses" value="shown"'), true);
  const periods = htmlOf(<PeriodsForm scheduleId={102} typed={typed} />);
  assertEquals(/id="first"[^>]* value="soon"/.test(periods), true);
  assertEquals(periods.includes("addresses"), false);
  assertEquals(linksOf(periods), {
    "This month and last": "/schedules/102/compare?first=last-month&second=this-month",
    "This week and last": "/schedules/102/compare?first=last-week&second=this-week",
    "Last 30 days and the 30 before":
      "/schedules/102/compare?first=previous-30-days&second=last-30-days",
  });
  assertEquals(textsOf(periods, "option"), [
    "this week",
    "last week",
    "this month",
    "last month",
    "the last 7 days",
    "the 7 days before",
    "the last 30 days",
    "the 30 days before",
  ]);
  for (const form of [html, periods]) {
    assertEquals(form.includes('method="get" action="/schedules/102/compare"'), true);
  }
});
