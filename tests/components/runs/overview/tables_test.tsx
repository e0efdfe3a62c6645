import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  CELL_KINDS,
  type CellKind,
  cellWords,
  hoursUntil,
  worstOf,
} from "../../../../components/runs/charts/day_grid.ts";
import { OpenIncidents } from "../../../../components/runs/overview/open_incidents.tsx";
import {
  type OverviewRow,
  OverviewTable,
} from "../../../../components/runs/overview/overview_table.tsx";
import { htmlOf, linksOf, textOf } from "../../rendered.ts";

const NOW = Date.UTC(2026, 0, 20, 12, 30);
const HOURS = hoursUntil(NOW);

/** What an hour of one thing says, and how it is drawn. */
function hourOf(cell: Partial<Record<CellKind, number>>) {
  const row: OverviewRow = {
    scheduleId: 1,
    name: "",
    reportTitle: "",
    note: "",
    headline: "healthy",
    sentence: "",
    tone: "neutral",
    lastSuccess: null,
    cells: [cell, ...HOURS.slice(1).map(() => ({}))],
    isCut: false,
  };
  const html = htmlOf(<OverviewTable rows={[row]} hours={HOURS} now={NOW} />);
  const [, kind, words, sign] = html.match(
    /<td><b class="cell (\w+)" role="img" title="13:00: ([^"]*)">(.)</,
  )!;
  return [kind, sign, words];
}

Deno.test("OverviewTable: each thing of an hour has its own word, sign and colour", () => {
  assertEquals(CELL_KINDS.map((kind) => hourOf({ [kind]: 2 })), [
    ["bad", "✕", "2 failed"],
    ["missed", "∅", "2 missed"],
    ["overdue", "!", "2 overdue"],
    ["late", "◷", "2 succeeded late"],
    ["neutral", "○", "2 with another status"],
    ["good", "✓", "2 succeeded"],
    ["due", "·", "2 due"],
  ]);
});

Deno.test("OverviewTable: an hour shows the worst of it and says all of it", () => {
  const all = Object.fromEntries(CELL_KINDS.map((kind) => [kind, 1]));
  assertEquals(hourOf(all), [
    "bad",
    "✕",
    "1 failed, 1 missed, 1 overdue, 1 succeeded late, 1 with another status, 1 succeeded, 1 due",
  ]);
  assertEquals(hourOf({ good: 3, missed: 1 })[0], "missed");
  assertEquals(worstOf({}), null);
  assertEquals(cellWords({}), "");
});

Deno.test("OpenIncidents: links to all of them only where some are not listed", () => {
  const incident = {
    id: "a",
    severity: "critical",
    summary: "2 runs failed",
    since: null,
    opened: NOW,
    acknowledgedBy: null,
    mutedUntil: NOW,
  };
  const html = (total: number) =>
    htmlOf(<OpenIncidents total={total} incidents={[incident]} person="" now={NOW} next="/" />);
  assertEquals(linksOf(html(1)), { "2 runs failed": "/incidents/a" });
  assertEquals(Object.keys(linksOf(html(2))), ["2 runs failed", "All open incidents"]);
  assert(!textOf(html(1)).includes("muted"), "it ended at this moment");
  assertMatch(html(1), /<input name="name" required maxlength="100"/);
  assertMatch(html(1), /name="span" value="1d"/);
});
