import type { Reason, ReasonCode } from "./reason.ts";

/**
 * How a schedule is doing, in one word.
 *
 * - `failing`: its latest runs failed.
 * - `overdue`: a run that should have started has not.
 * - `empty`: it lacked content or recipients.
 * - `outside`: it goes to an outside address, or to somebody who left.
 * - `unknown`: nobody knows what the status of its newest run means, or newer runs were not read.
 * - `missed`: one of the last 20 planned runs did not start, but a later one did.
 * - `changed`: its size, duration or recipients changed, or it was sent more than once.
 * - `flaky`: some runs fail, or people have to start them.
 * - `late`: a run is due and has not started, or takes much longer than usual.
 * - `healthy`, and `new` (it never ran). `unknown` too where nothing is wrong, but too little is known.
 */
export type Headline = typeof HEADLINES[number];

/** All headlines, worst first. */
export const HEADLINES = [
  "failing",
  "overdue",
  "empty",
  "outside",
  "unknown",
  "missed",
  "changed",
  "flaky",
  "late",
  "healthy",
  "new",
] as const;

const HEADLINE_OF_CODE: Readonly<Record<ReasonCode, Headline | null>> = {
  failing: "failing",
  overdue: "overdue",
  "empty-delivery": "empty",
  "sent-to-nobody": "empty",
  "outside-recipient": "outside",
  "leaver-recipient": "outside",
  missed: "missed",
  "size-jump": "changed",
  slower: "changed",
  "recipients-dropped": "changed",
  "sent-twice": "changed",
  flaky: "flaky",
  "started-by-hand": "flaky",
  late: "late",
  stuck: "late",
  "never-ran": "new",
  "unknown-status": "unknown",
  unreadable: "unknown",
  clock: null,
  stale: null,
  behind: null,
  "channel-failing": null,
};

/** All codes, the most urgent first: those of the service, then as their headlines. */
export const CODES_BY_URGENCY: readonly string[] = Object.entries(HEADLINE_OF_CODE)
  .map(([code, headline]) => ({ code, rank: headline ? HEADLINES.indexOf(headline) : -1 }))
  .sort((a, b) => a.rank - b.rank)
  .map(({ code }) => code);

/** The headline of a code; null if it has none or is not known. */
export function headlineOfCode(code: string): Headline | null {
  return Object.hasOwn(HEADLINE_OF_CODE, code) ? HEADLINE_OF_CODE[code as ReasonCode] : null;
}

/**
 * How a schedule is doing, in one word: the worst headline of its reasons.
 *
 * @param verdict A verdict, or just its state and reasons.
 * @returns The headline.
 *
 * @example
 * ```ts
 * import { headline } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(headline({ state: "up", reasons: [] }), "healthy");
 * ```
 */
export function headline(
  { state, reasons }: {
    readonly state: "up" | "late" | "down" | "unknown" | "new";
    readonly reasons: readonly Pick<Reason, "code" | "severity">[];
  },
): Headline {
  const found = new Set<string | null>(
    reasons.filter(({ severity }) => severity !== "info").map(({ code }) => headlineOfCode(code)),
  );
  // Where too little is known, what is wrong says more.
  if (state !== "unknown") found.add(state);
  return HEADLINES.find((each) => found.has(each)) ?? (state === "up" ? "healthy" : "unknown");
}
