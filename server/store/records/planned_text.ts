/** Planned runs as text: the minutes since the previous one in base 36, and a capital letter each. */
import { MINUTE } from "../../../lib/time_units.ts";
import type { PlannedOutcome, PlannedRun } from "../../../lib/judgement/judge_schedule.ts";

const LETTERS: Readonly<Record<PlannedOutcome, string>> = {
  met: "M",
  late: "L",
  failed: "F",
  other: "S",
  missed: "X",
  overdue: "O",
  "by-hand": "H",
  excused: "E",
  due: "D",
  extra: "A",
  "extra-failed": "B",
  "extra-other": "C",
};
const OUTCOMES = Object.fromEntries(
  Object.entries(LETTERS).map(([outcome, letter]) => [letter, outcome]),
) as Readonly<Record<string, PlannedOutcome>>;

const STRIP_PLANNED = 20;
/** The most marks in a strip, including unplanned runs. */
const STRIP_MARKS = 30;

/** The latest planned runs that are due by now, with the unplanned runs among them. */
export function latestPlanned(planned: readonly PlannedRun[], now: number): readonly PlannedRun[] {
  const past = planned.filter(({ at }) => at <= now);
  const indexes = past.flatMap(({ outcome }, index) => isExtra(outcome) ? [] : index);
  const first = indexes.length > STRIP_PLANNED ? indexes[indexes.length - STRIP_PLANNED] : 0;
  return past.slice(Math.max(first, past.length - STRIP_MARKS));
}

function isExtra(outcome: PlannedOutcome): boolean {
  return outcome.startsWith("extra");
}

export function plannedText(planned: readonly Omit<PlannedRun, "run">[]): string {
  let previous = 0;
  let text = "";
  for (const { at, outcome } of planned) {
    const minute = Math.floor(at / MINUTE);
    text += (minute - previous).toString(36) + LETTERS[outcome];
    previous = minute;
  }
  return text;
}

/** The planned runs of a span in such a text, without the ids of their runs. */
export function readPlanned(text: string, from = -Infinity, to = Infinity): PlannedRun[] {
  const found: PlannedRun[] = [];
  let minute = 0;
  let start = 0;
  // Not with a regular expression: the page of today reads ten thousand such texts.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < CODE_OF_A || code > CODE_OF_Z) continue;
    minute += parseInt(text.slice(start, at), 36);
    start = at + 1;
    const time = minute * MINUTE;
    if (time >= from && time < to) found.push({ at: time, outcome: OUTCOMES[text[at]], run: null });
  }
  return found;
}

const CODE_OF_A = 65;
const CODE_OF_Z = 90;
