/** What runs contained, how long they took, and to how many people they went. */
import type { TimedRun } from "../../runs/occurrences.ts";
import { countRecipients } from "../../runs/recipients.ts";
import type { ReportRun } from "../../types.ts";
import { clockOf } from "../../zone_clock.ts";
import { type LEVELS, type ReasonOf, shownBy } from "../reason.ts";
import { ALMOST_EMPTY, SHORTEST_MS } from "./content_numbers.ts";
import { type Level, LevelSeries } from "./levels.ts";
import { EmptySeries, PeopleSeries } from "./missing.ts";

/** The fields that are zero if content is missing. */
const CONTENT_FIELDS = [
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
] as const;
const SIZE_FIELDS = ["attachmentSize", "emailSize"] as const;

interface ContentOptions {
  readonly zone: string;
  /** The first runs of changes that people expect. */
  readonly expected?: ReadonlySet<number>;
}

/** The content of a schedule's runs, which are added in the order of their ends, once each. */
export class Content {
  readonly empty: Record<typeof CONTENT_FIELDS[number], EmptySeries>;
  readonly nobody: EmptySeries = new EmptySeries();
  readonly levels: Record<typeof SIZE_FIELDS[number] | "duration", LevelSeries>;
  readonly people: PeopleSeries;
  readonly #zone: string;

  constructor({ zone, expected = new Set() }: ContentOptions) {
    this.#zone = zone;
    this.empty = {
      cardCount: new EmptySeries(),
      attachmentCount: new EmptySeries(),
      attachmentSize: new EmptySeries(),
      emailSize: new EmptySeries(),
    };
    this.levels = {
      attachmentSize: new LevelSeries({ expected }),
      emailSize: new LevelSeries({ expected }),
      duration: new LevelSeries({ expected, isDuration: true }),
    };
    this.people = new PeopleSeries(expected);
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
    if (count > 0 && run.automated !== false) this.people.add({ id, time }, count);
  }
}

export function contentOf(
  runs: readonly TimedRun<ReportRun>[],
  options: ContentOptions,
): Content {
  const content = new Content(options);
  for (const run of inOrderOfEnds(runs)) content.add(run);
  return content;
}

export function inOrderOfEnds(
  runs: readonly TimedRun<ReportRun>[],
): readonly TimedRun<ReportRun>[] {
  const endTime = ({ time, ms = 0 }: TimedRun<ReportRun>) => time + Math.max(0, ms);
  return runs.toSorted((a, b) => endTime(a) - endTime(b) || a.run.id - b.run.id);
}

type ContentReason = ReasonOf<typeof LEVELS[number]>;

/** Finds missing content, new levels, and fewer recipients, unless people expect them. */
export function* contentReasons(
  content: Content,
  expected: ReadonlySet<number> = new Set(),
): Generator<ContentReason> {
  const found = [
    ...emptyReasons(content),
    ...sizeReasons(content),
    ...durationReasons(content),
    ...recipientCountReasons(content),
  ];
  for (const reason of found) if (!expected.has(reason.first)) yield reason;
}

function* emptyReasons({ empty }: Content): Generator<ContentReason> {
  const gone = CONTENT_FIELDS.filter((field) => empty[field].unusual);
  if (gone.length === 0) return;
  const streaks = gone.map((field) => empty[field].streak);
  const longest = streaks.reduce((a, b) => b[0].time < a[0].time ? b : a);
  yield { code: "empty-delivery", severity: "critical", ...showRuns(longest), gone, almost: null };
}

/** An email contains the attachments, so one reason covers both. */
function* sizeReasons({ levels, empty }: Content): Generator<ContentReason> {
  const field = SIZE_FIELDS.find((field) => levels[field].level);
  const level = field && levels[field].level;
  if (!level) return;
  const { before, after } = level;
  if (after * ALMOST_EMPTY >= before) {
    const subject = `${Math.round(after)}`;
    yield { code: "size-jump", ...showLevel(level), subject, field };
  } else if (!CONTENT_FIELDS.some((each) => empty[each].unusual)) {
    const almost = { field, before, after };
    const shown = showRuns(level.runs);
    yield { code: "empty-delivery", severity: "critical", ...shown, gone: [], almost };
  }
}

function* durationReasons({ levels: { duration: { level } } }: Content): Generator<ContentReason> {
  if (level) yield { code: "slower", ...showLevel(level), slowly: level.isSlow };
}

function* recipientCountReasons({ nobody, people: { drop } }: Content): Generator<ContentReason> {
  const { unusual } = nobody;
  if (unusual) yield { code: "sent-to-nobody", severity: "critical", ...showRuns(unusual) };
  else if (drop) {
    const { runs, before, after } = drop;
    yield { code: "recipients-dropped", severity: "warning", ...showRuns(runs), before, after };
  }
}

function showLevel({ runs, before, after }: Level) {
  return { severity: "warning" as const, ...showRuns(runs), before, after };
}

function showRuns(runs: readonly { readonly id: number; readonly time: number }[]) {
  const [{ id: first }] = runs;
  const shown = shownBy(runs.map((run) => ({ run, time: run.time })), `${first}`);
  return { ...shown, first, count: runs.length };
}
