/** What charts say to whom looks closely or listens; how they look is for people to see. */
import { assertEquals, assertMatch } from "@std/assert";
import { PlannedChart, Strip } from "../../../components/runs/charts/strip.tsx";
import { DayLine } from "../../../components/runs/overview/day_line.tsx";
import type { MarkOfDay } from "../../../lib/judgement/day_summary.ts";
import type { PlannedOutcome } from "../../../lib/judgement/planned_runs.ts";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { Recipients } from "../../../components/runs/recipients/recipient_list.tsx";
import { sampleReason } from "../../sample_reasons.ts";
import { htmlOf, textOf, textsOf } from "../rendered.ts";

const START = Date.UTC(2026, 10, 23);

function daily(...outcomes: PlannedOutcome[]) {
  return outcomes.map((outcome, day) => ({ at: START + day * DAY, outcome, run: day + 1 }));
}

Deno.test("Strip: equal marks in a row are one path, in the zone of the reader", () => {
  const planned = daily("met", "met", "met", "failed", "failed");
  const html = htmlOf(<Strip planned={planned} />, "Europe/Berlin");
  assertEquals(textsOf(html, "title"), [
    "3 on time, Mon 23 Nov 2026 01:00 to Wed 25 Nov 2026 01:00",
    "2 failed, Thu 26 Nov 2026 01:00 to Fri 27 Nov 2026 01:00",
  ]);
  assertMatch(html, /aria-label="Planned runs, newest last: 3 on time, 2 failed"/);
  // Links do not change what is said.
  assertMatch(htmlOf(<Strip planned={planned} scheduleId={1} />), /last: 3 on time, 2 failed"/);
  // If outcomes alternate, the newest twelve are enough.
  const changing = Array.from({ length: 14 }, (_, at) => at % 2 ? "failed" : "met" as const);
  assertMatch(htmlOf(<Strip planned={daily(...changing)} />), /last: …(, 1 on time, 1 failed){6}"/);
});

Deno.test("PlannedChart: shows results with links to failures, or a measure as bars", () => {
  const planned = daily("missed", "met", "failed");
  const runs = planned.slice(1).map(({ at, run }) => ({
    id: run,
    startTime: new Date(at + 60_000 * run).toISOString(),
    endTime: new Date(at + 60_000 * run + run * HOUR).toISOString(),
    emailSize: 1000 * run,
    recipientCount: run,
  }));
  const chart = (name?: "lateness" | "duration" | "size" | "recipients") =>
    htmlOf(
      <PlannedChart
        {...{ verdict: { planned, runs }, view: { body: {}, ...(name && { chart: name }) } }}
        scheduleId={101}
      />,
    );
  assertMatch(textOf(chart()), /Planned runs last 3/);
  assertMatch(chart(), /href="\/schedules\/101\/runs\/3" aria-label="failed, Wed 25 Nov/);
  const most = { lateness: "3 min", duration: "3 h", size: "3.0 KB", recipients: "3" } as const;
  for (const [name, words] of Object.entries(most)) {
    const label = `of the last planned runs, at most ${words}"`;
    assertEquals([name, chart(name as keyof typeof most).includes(label)], [name, true]);
  }
  assertEquals(chart("duration").match(/v-20h6v20z/g)?.length, 1);
  assertMatch(chart("duration"), /<title>missed<\/title>/);
});

/** The whole day, with marks at hours; it is seven o'clock. */
function dayOf(marks: readonly (Partial<MarkOfDay> & { hour: number })[]): string {
  const summary = {
    ...{ from: START, to: START + 24 * HOUR, now: START + 7 * HOUR },
    marks: marks.map(({ hour, ...mark }, scheduleId): MarkOfDay => ({
      ...{ at: START + hour * HOUR, outcome: "met", name: `Report ${scheduleId}` },
      ...mark,
      scheduleId,
    } as MarkOfDay)),
  };
  return htmlOf(<DayLine summary={summary} />).split('class="near"')[0];
}

Deno.test("DayLine: a report that went outside is marked and named like a failure", () => {
  const html = dayOf([{ hour: 5, flaw: "outside" }, { hour: 6, outcome: "failed" }, { hour: 7 }]);
  assertEquals(textsOf(html, "title"), [
    "05:00 Report 0, went outside",
    "06:00 Report 1, failed",
    "07:00 Report 2, on time",
  ]);
  const tones = [...html.matchAll(/<path class="(\w+)" d="[^"]*"><title/g)];
  assertEquals(tones.map(([, tone]) => tone), ["bad", "bad", "good"]);
  assertEquals(textsOf(html, "a"), ["Report 1 failed", "Report 0 went outside"]);
  const outcomes = ["overdue", "failed", "missed", "missed"] as const;
  const many = dayOf(outcomes.map((outcome, at) => ({ hour: at + 1, outcome })));
  assertEquals(textsOf(many, "a"), ["Report 1 failed", "Report 0 overdue"]);
  const missed = dayOf([1, 2, 3, 4].map((hour) => ({ hour, outcome: "missed" })));
  assertEquals(textsOf(missed, "a").length, 3);
});

Deno.test("DayLine: no line to a mark crosses the label of another", () => {
  const html = dayOf([3, 4, 5].map((hour) => ({ hour, outcome: "failed" })));
  const labels = [...html.matchAll(
    /class="leader" d="M([\d.]+) [\d.]+V([\d.]+)".*?class="name" x="([\d.]+)" y="([\d.]+)">([^<]+)/gs,
  )].map(([, line, to, start, y, text]) => {
    const end = Number(start) + text.length * 6.4;
    return { line: Number(line), to: Number(to), start: Number(start), end, y: Number(y) };
  });
  assertEquals(labels.length, 3);
  const crossing = labels.filter((one) =>
    labels.some(({ y, start, end }) =>
      one.y < y && one.to > y && one.line > start && one.line < end
    )
  );
  assertEquals(crossing, []);
});

Deno.test("DayLine: many marks become bars by quarter of an hour, with counts", () => {
  const six = (outcome: PlannedOutcome) => Array.from({ length: 6 }, () => ({ hour: 5, outcome }));
  const html = dayOf(six("met").with(0, { hour: 5, outcome: "failed" }));
  assertEquals(textsOf(html, "title"), ["05:00: 1 failed, 5 on time"]);
  // There is a label, which is a link.
  assertMatch(html, /role="group" aria-label="Today's runs by quarter of an hour: 1 failed, 5 on/);
  assertMatch(dayOf(six("met")), /role="img" aria-label="Today's runs by quarter of an hour: 6 on/);
  assertEquals(dayOf(six("excused")).includes('class="waiting"'), false);
});

Deno.test("Recipients: who is outside comes first, also at a domain that is not in ASCII", () => {
  const people = [{ emailAddress: "ada@corp.example" }, { emailAddress: "eve@MÜLLER.example" }];
  const reasons = [sampleReason("outside-recipient", { domain: "xn--mller-kva.example" })];
  const html = htmlOf(<Recipients {...{ people, reasons }} meaning="good" href="/x" />);
  assertEquals(textsOf(html, "li").map((each) => each.includes(", outside")), [true, false]);
});
