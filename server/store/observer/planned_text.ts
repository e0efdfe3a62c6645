/** Planned runs as text: for each, the minutes since the last in base 36, and a capital letter. */
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
};
const OUTCOMES = Object.fromEntries(
  Object.entries(LETTERS).map(([outcome, letter]) => [letter, outcome]),
) as Readonly<Record<string, PlannedOutcome>>;

const MINUTE = 60_000;
const STRIP = 20;
/** The most marks in a strip, including runs that nobody planned. */
const MOST = 30;

/** The planned runs of a strip: the latest that are due by now, with those that nobody planned. */
export function latestPlanned(planned: readonly PlannedRun[], now: number): readonly PlannedRun[] {
  const past = planned.filter(({ at }) => at <= now);
  const places = past.flatMap((one, at) => isExtra(one.outcome) ? [] : at);
  const first = places.length > STRIP ? places[places.length - STRIP] : 0;
  return past.slice(Math.max(first, past.length - MOST));
}

export function isExtra(outcome: PlannedOutcome): boolean {
  return outcome === "extra" || outcome === "extra-failed";
}

export function plannedText(planned: readonly Omit<PlannedRun, "run">[]): string {
  let before = 0;
  let text = "";
  for (const { at, outcome } of planned) {
    const minute = Math.floor(at / MINUTE);
    text += (minute - before).toString(36) + LETTERS[outcome];
    before = minute;
  }
  return text;
}

/** The planned runs in such a text, of a span of time if given, without the ids of their runs. */
export function readPlanned(text: string, from = -Infinity, to = Infinity): PlannedRun[] {
  const found: PlannedRun[] = [];
  let minute = 0;
  let start = 0;
  // Today's page reads ten thousands of such texts: a regular expression takes several times as long.
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
