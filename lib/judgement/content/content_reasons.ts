/** Finds reasons in the content, the durations and the numbers of recipients of runs. */
import { namedRuns, type Reason } from "../reason.ts";
import { CONTENT_FIELDS, type ContentMemory, SIZE_FIELDS } from "./content.ts";
import type { LevelChange } from "./level_memory.ts";
import type { EmptyStreak } from "./zeros.ts";

/** A report whose size fell by this much, in log2, is almost empty. */
const ALMOST_EMPTY = -Math.log2(50);

/** Finds missing content, changes, and fewer recipients; expected ones are only information. */
export function* contentReasons(
  memory: ContentMemory,
  expected: ReadonlySet<number> = new Set(),
): Generator<ContentReason> {
  for (
    const reason of [
      ...emptyReasons(memory),
      ...recipientCountReasons(memory),
      ...sizeReasons(memory),
      ...durationReasons(memory),
    ]
  ) {
    yield expected.has(reason.first) ? { ...reason, severity: "info" } : reason;
  }
}

export type ContentReason = Extract<Reason, { readonly first: number }>;

function* emptyReasons({ zeros, levels }: ContentMemory): Generator<ContentReason> {
  const empty = CONTENT_FIELDS.flatMap((field) => {
    const { streak } = zeros[field];
    return streak?.isReported ? [{ field, streak }] : [];
  });
  if (empty.length > 0) {
    const streak = empty.reduce((a, b) => a.streak.since <= b.streak.since ? a : b).streak;
    yield {
      code: "empty-delivery",
      severity: "critical",
      ...shownBy(streak),
      count: Math.max(...empty.map(({ streak }) => streak.count)),
      gone: empty.map(({ field }) => field),
      almost: null,
    };
    return;
  }
  for (const field of SIZE_FIELDS) {
    const { change } = levels[field];
    if (!change || !isNewlyEmpty(change)) continue;
    const { before, after, ...shown } = changeFrom(change);
    const almost = { field, before, after };
    yield { code: "empty-delivery", ...shown, severity: "critical", gone: [], almost };
    return;
  }
}

function* recipientCountReasons(
  { zeros, recipients: { drop } }: ContentMemory,
): Generator<ContentReason> {
  const { streak } = zeros.recipients;
  if (streak?.isReported) {
    yield { code: "sent-to-nobody", severity: "critical", ...shownBy(streak), count: streak.count };
  } else if (drop) {
    const { before, after, count, isUsual } = drop;
    const severity = isUsual ? "info" : "warning";
    yield { code: "recipients-dropped", severity, ...shownBy(drop), before, after, count };
  }
}

/** An email contains the attachments, so one reason covers both. */
function* sizeReasons({ levels }: ContentMemory): Generator<ContentReason> {
  const field = SIZE_FIELDS.find((field) => levels[field].change !== null);
  const change = field && levels[field].change;
  if (!change || isNewlyEmpty(change)) return;
  const subject = `${Math.round(2 ** change.after)}`;
  yield { code: "size-jump", ...changeFrom(change), subject, field };
}

/** Runs that take longer. Shorter ones harm nobody. */
function* durationReasons(
  { levels: { duration: { change } } }: ContentMemory,
): Generator<ContentReason> {
  if (!change || change.after <= change.before) return;
  yield { code: "slower", ...changeFrom(change), slowly: change.isSlow };
}

/** Whether a report is almost empty, and was not so for long. */
function isNewlyEmpty({ before, after, isUsual }: LevelChange): boolean {
  return !isUsual && after - before < ALMOST_EMPTY;
}

/** A changed level; one that is usual by now is only information. */
function changeFrom(change: LevelChange) {
  return {
    severity: change.isUsual ? "info" as const : "warning" as const,
    ...shownBy(change),
    count: change.count,
    before: 2 ** change.before,
    after: 2 ** change.after,
  };
}

function shownBy({ run, since, runs }: Pick<EmptyStreak, "run" | "since" | "runs">) {
  return { subject: `${run}`, since, runs: namedRuns(runs.map((id) => ({ id }))), first: run };
}
