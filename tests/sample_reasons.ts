/** A reason of each code, for the tests of what shows reasons. */
import type { Reason, ReasonCode, ReasonOf } from "../lib/judgement/reason.ts";

/** When the sample reasons began: 06:00 in Berlin. */
export const SINCE = Date.UTC(2026, 10, 18, 5);

const LEVEL = { first: 7, count: 1, before: 1000, after: 9000 };
const GAP = { due: SINCE, latest: SINCE, count: 1 };

const SAMPLES: { readonly [Code in ReasonCode]: Omit<ReasonOf<Code>, keyof typeof COMMON> } = {
  failing: { code: "failing", count: 2, lastGood: SINCE - 86_400_000 },
  overdue: { code: "overdue", ...GAP },
  missed: { code: "missed", ...GAP },
  late: { code: "late", due: null, lateMs: 60_000, count: 1 },
  stuck: { code: "stuck", openMs: 60_000, usualMs: 1000 },
  "started-by-hand": { code: "started-by-hand", count: 2, of: 40 },
  "unknown-status": {
    code: "unknown-status",
    status: "odd",
    statuses: ["odd"],
    count: 1,
    of: null,
  },
  "sent-twice": { code: "sent-twice", first: 7, count: 1, latest: SINCE, times: 2, people: 1 },
  "outside-recipient": {
    code: "outside-recipient",
    domain: "partner.example.net",
    count: 1,
    newest: SINCE,
    resembles: null,
  },
  "leaver-recipient": { code: "leaver-recipient", count: 1, newest: SINCE },
  "recipients-dropped": { code: "recipients-dropped", ...LEVEL },
  "sent-to-nobody": { code: "sent-to-nobody", first: 7, count: 1 },
  "empty-delivery": {
    code: "empty-delivery",
    first: 7,
    count: 1,
    gone: ["attachmentSize"],
    almost: null,
  },
  "size-jump": { code: "size-jump", field: "attachmentSize", ...LEVEL },
  slower: { code: "slower", ...LEVEL, slowly: false },
  flaky: { code: "flaky", failed: 3, of: 40 },
  clock: { code: "clock", offsetMs: 0, impossibleStarts: 1, endsBeforeStart: 0 },
  "never-ran": { code: "never-ran" },
  unreadable: { code: "unreadable", failure: null },
  stale: { code: "stale", failure: "The answer is stale: it lacks 2 runs" },
  behind: { code: "behind", lateMs: 642_000 },
  "channel-failing": {
    code: "channel-failing",
    channels: ["slack-1"],
    names: ["slack of Finance"],
  },
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
  return { ...COMMON, ...SAMPLES[code], ...more } as unknown as ReasonOf<Code>;
}
