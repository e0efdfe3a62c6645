/** A reason of each code, for the tests of what shows reasons. */
import type { Reason, ReasonCode, ReasonOf } from "../lib/judgement/reason.ts";

/** When the sample reasons began: 06:00 in Berlin. */
export const SINCE = Date.UTC(2026, 10, 18, 5);

const LEVEL = { first: 7, count: 1, before: 1000, after: 9000 };
const GAP = { due: SINCE, latest: SINCE, count: 1 };

type SampleOf<Code extends ReasonCode> = Omit<ReasonOf<Code>, "code" | keyof typeof COMMON>;

const SAMPLES: { readonly [Code in ReasonCode]: SampleOf<Code> } = {
  failing: { count: 2, lastGood: SINCE - 86_400_000 },
  overdue: GAP,
  missed: GAP,
  late: { due: null, lateMs: 60_000, count: 1 },
  stuck: { usualMs: 1000 },
  "started-by-hand": { count: 2, of: 40 },
  "unknown-status": { status: "odd", statuses: ["odd"], count: 1, of: null },
  "sent-twice": { first: 7, count: 1, latest: SINCE, times: 2, people: 1 },
  "outside-recipient": { domain: "partner.example.net", count: 1, newest: SINCE, resembles: null },
  "leaver-recipient": { count: 1, newest: SINCE },
  "recipients-dropped": LEVEL,
  "sent-to-nobody": { first: 7, count: 1 },
  "empty-delivery": { first: 7, count: 1, gone: ["attachmentSize"], almost: null },
  "size-jump": { field: "attachmentSize", ...LEVEL },
  slower: { ...LEVEL, slowly: false },
  flaky: { failed: 3, of: 40, rerun: 0 },
  clock: { offsetMs: 0, impossibleStarts: 1, endsBeforeStart: 0 },
  "never-ran": {},
  unreadable: { failure: null },
  stale: { failure: "The answer is stale: it lacks 2 runs" },
  behind: { lateMs: 642_000 },
  "channel-failing": { channels: ["slack-1"], names: ["slack of Finance"] },
};

/** The codes of all reasons. */
export const CODES = Object.keys(SAMPLES) as ReasonCode[];

const COMMON = {
  severity: "warning" as Reason["severity"],
  subject: "",
  since: SINCE as number | null,
  runs: [8, 7],
};

/** A reason of one code, with members of one's own. */
export function sampleReason<Code extends ReasonCode>(
  code: Code,
  more: Partial<ReasonOf<Code>> = {},
): ReasonOf<Code> {
  return { ...COMMON, code, ...SAMPLES[code], ...more } as unknown as ReasonOf<Code>;
}
