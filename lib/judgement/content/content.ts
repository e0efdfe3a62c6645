/** What runs contained, how long they took, and to how many people they went. */
import type { TimedRun } from "../../runs/occurrences.ts";
import { countRecipients } from "../../runs/recipients.ts";
import type { ReportRun } from "../../types.ts";
import { clockOf } from "../../zone_clock.ts";
import { type LEVELS, type ReasonOf, shownBy } from "../reason.ts";
import { ALMOST_EMPTY, SHORTEST_MS } from "./content_numbers.ts";
import { LevelSeries } from "./levels.ts";
import { EmptySeries } from "./missing.ts";

/** The fields that are zero if content is missing. */
const CONTENT_FIELDS = [
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
] as const;
const SIZE_FIELDS = ["attachmentSize", "emailSize"] as const;

/** The content of a schedule's runs, which are added in the order of their ends, once each. */
export class Content {
  readonly empty: Readonly<Record<typeof CONTENT_FIELDS[number], EmptySeries>> = {
    cardCount: new EmptySeries(),
    attachmentCount: new EmptySeries(),
    attachmentSize: new EmptySeries(),
    emailSize: new EmptySeries(),
  };
  readonly nobody: EmptySeries = new EmptySeries();
  readonly levels: Readonly<
    Record<typeof SIZE_FIELDS[number] | "duration" | "people", LevelSeries>
  >;
  readonly #zone: string;

  /** In a plan's zone; `expected` are the first runs of changes that people expect. */
  constructor(zone: string, expected: ReadonlySet<number> = new Set()) {
    this.#zone = zone;
    this.levels = {
      attachmentSize: new LevelSeries(expected, "size"),
      emailSize: new LevelSeries(expected, "size"),
      duration: new LevelSeries(expected, "duration"),
      people: new LevelSeries(expected, "people"),
    };
  }

  /** Adds a run that is over and did not fail. */
  add({ run, time, ms = 0, meaning }: TimedRun<ReportRun>): void {
    const { id } = run;
    const isGood = meaning === "good";
    const [local] = clockOf(this.#zone).toLocal([time]);
    for (const field of isGood ? CONTENT_FIELDS : []) {
      const value = run[field];
      if (typeof value === "number") this.empty[field].add({ id, time }, value === 0);
    }
    // Without its attachments, an email is smaller: that is no change of its own.
    for (const field of this.empty.attachmentSize.streak.length > 0 ? [] : SIZE_FIELDS) {
      const value = run[field] ?? 0;
      if (value > 0 && value < Infinity) this.levels[field].add({ id, time, local, value });
    }
    if (isGood && ms >= SHORTEST_MS) {
      this.levels.duration.add({ id, time, local, value: ms });
    }
    const count = countRecipients(run);
    if (count === null) return;
    this.nobody.add({ id, time }, count === 0);
    // A person who starts a run may send it to fewer people.
    if (count > 0 && run.automated !== false) {
      this.levels.people.add({ id, time, local, value: count });
    }
  }

  /** Finds missing content, new levels, and fewer recipients. */
  *reasons(): Generator<ReasonOf<typeof LEVELS[number]>> {
    const { empty, levels, nobody: { unusual: toNobody } } = this;
    const gone = CONTENT_FIELDS.filter((field) => empty[field].unusual);
    if (gone.length > 0) {
      const streaks = gone.map((field) => empty[field].streak);
      const longest = streaks.reduce((a, b) => b[0].time < a[0].time ? b : a);
      const shown = showRuns(longest);
      yield { code: "empty-delivery", severity: "critical", ...shown, gone, almost: null };
    }
    // An email contains the attachments, so one reason covers both.
    const field = SIZE_FIELDS.find((field) => levels[field].level);
    if (field) {
      const { runs, before, after } = levels[field].level!;
      const [shown, almost] = [showRuns(runs), { field, before, after }];
      if (after * ALMOST_EMPTY >= before) {
        const subject = `${Math.round(after)}`;
        yield { code: "size-jump", severity: "warning", ...shown, subject, ...almost };
      } else if (gone.length === 0) {
        yield { code: "empty-delivery", severity: "critical", ...shown, gone, almost };
      }
    }
    if (levels.duration.level) {
      const { runs, before, after, isSlow } = levels.duration.level;
      const shown = showRuns(runs);
      yield { code: "slower", severity: "warning", ...shown, before, after, slowly: isSlow };
    }
    if (toNobody) yield { code: "sent-to-nobody", severity: "critical", ...showRuns(toNobody) };
    else if (levels.people.level) {
      const { runs, before, after } = levels.people.level;
      yield { code: "recipients-dropped", severity: "warning", ...showRuns(runs), before, after };
    }
  }
}

export function inOrderOfEnds(
  runs: readonly TimedRun<ReportRun>[],
): readonly TimedRun<ReportRun>[] {
  const endTime = ({ time, ms = 0 }: TimedRun<ReportRun>) => time + Math.max(0, ms);
  return runs.toSorted((a, b) => endTime(a) - endTime(b) || a.run.id - b.run.id);
}

function showRuns(runs: readonly { readonly id: number; readonly time: number }[]) {
  const [{ id: first }] = runs;
  const shown = shownBy(runs.map((run) => ({ run, time: run.time })), `${first}`);
  return { ...shown, first, count: runs.length };
}
