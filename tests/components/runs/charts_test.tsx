/** What charts say to whom looks closely or listens, and how they look. */
import { assertEquals, assertMatch } from "@std/assert";
import { PlannedChart, Strip } from "../../../components/runs/charts/strip.tsx";
import { type ChartName, CHARTS } from "../../../components/runs/run_links.tsx";
import { DayLine } from "../../../components/runs/overview/day_line.tsx";
import type { MarkOfDay } from "../../../lib/judgement/day_summary.ts";
import type { PlannedOutcome } from "../../../lib/judgement/planned_runs.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { Recipients } from "../../../components/runs/recipients/recipient_list.tsx";
import { sampleReason } from "../../sample_reasons.ts";
import { assertWritten } from "../../page_text.ts";
import { htmlOf, textsOf } from "../rendered.ts";

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

/** The day, with marks at hours. */
function dayOf(marks: readonly (Partial<MarkOfDay> & { hour: number })[], now = 7): string {
  const summary = {
    ...{ from: START, to: START + 24 * HOUR, now: START + now * HOUR },
    marks: marks.map(({ hour, ...mark }, scheduleId): MarkOfDay => ({
      ...{ at: START + hour * HOUR, outcome: "met", name: `Report ${scheduleId}` },
      ...mark,
      scheduleId,
    } as MarkOfDay)),
  };
  return htmlOf(<DayLine summary={summary} />);
}

Deno.test("DayLine: names what is wrong now, and where there is room what is over", () => {
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

Deno.test("charts: look as on charts.html, which a browser shows", async () => {
  const planned = daily("missed", "late", "met", "extra", "failed", "due");
  const runs = planned.slice(1).map(({ at, run }) => ({
    id: run,
    startTime: new Date(at + MINUTE * run).toISOString(),
    endTime: new Date(at + MINUTE * run + run * HOUR).toISOString(),
    emailSize: 1000 * run,
    recipientCount: run,
  }));
  const chartOf = (chart: ChartName, some = planned) => {
    const shown = { verdict: { planned: some, runs }, view: { body: {}, chart } };
    return htmlOf(<PlannedChart {...shown} scheduleId={101} />);
  };
  const flaws = [{ hour: 4, flaw: "outside" }, { hour: 6, outcome: "failed" }] as const;
  const sixty = (outcome: PlannedOutcome) =>
    Array.from({ length: 60 }, () => ({ hour: 5, outcome }));
  const page = [
    "<!-- deno-fmt-ignore-file -->",
    '<link rel="stylesheet" href="../../../components/ui/tokens.css">',
    '<link rel="stylesheet" href="../../../components/runs/runs.css">',
    htmlOf(<Strip planned={planned} />),
    htmlOf(<Strip planned={[]} />),
    ...CHARTS.map((chart) => chartOf(chart)),
    chartOf("size", daily("missed")),
    chartOf("result", daily("extra", "extra-failed")),
    dayOf([]),
    dayOf([...flaws, { hour: 6, outcome: "overdue" }, { hour: 20, outcome: "due" }]),
    dayOf([...sixty("met").with(0, { hour: 5, outcome: "failed" }), { hour: 9 }]),
    dayOf(sixty("excused")),
    dayOf(flaws, 23),
  ].join("\n").replace(/><(?=svg|path|text|p )/g, ">\n<");
  await assertWritten(new URL("charts.html", import.meta.url), `${page}\n`);
});

Deno.test("Recipients: each once; who is outside comes first, also where a domain is not ASCII", () => {
  const ada = { emailAddress: "ada@corp.example" };
  const people = [ada, { emailAddress: "eve@MÜLLER.example" }, {
    emailAddress: "Ada@CORP.example",
  }];
  const reasons = [sampleReason("outside-recipient", { domain: "xn--mller-kva.example" })];
  const html = htmlOf(<Recipients {...{ people, reasons }} meaning="good" href="/x" />);
  assertEquals(textsOf(html, "li").map((each) => each.includes(", outside")), [true, false]);
});
