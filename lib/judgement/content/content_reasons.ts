/** Finds reasons in the content, the durations and the numbers of recipients of runs. */
import { type LEVELS, type ReasonOf, shownBy } from "../reason.ts";
import { type Content, CONTENT_FIELDS, SIZE_FIELDS } from "./content.ts";
import type { Level } from "./levels.ts";
import { ALMOST_EMPTY } from "./content_numbers.ts";

export type ContentReason = ReasonOf<typeof LEVELS[number]>;

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
