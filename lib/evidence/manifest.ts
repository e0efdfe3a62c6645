/** What a pack was asked and says, and when it is complete. */
import { check } from "../check.ts";
import { searchBodyText } from "../client/transport/request.ts";
import { addDays, startOfDay } from "../days.ts";
import type { Drift } from "../errors.ts";
import { formatCount, timeText } from "../format.ts";
import type { Actor } from "../actor.ts";
import { formatSearchQuery } from "../search/search_query_format.ts";
import type { SearchBody } from "../types.ts";

export const FORMAT = "docket-evidence/2";

/** Which file sets match; which runs schedules have; or, on a day in a zone (UTC), who received them. */
export type EvidenceQuestion =
  | { readonly body: SearchBody }
  | { readonly scheduleIds: readonly number[]; readonly on?: string; readonly zone?: string };

/** A list read to its end. `scheduleId` is null for file sets; `sha256` is of the rows, one a line. */
export type ListReading = {
  readonly reading: 1 | 2;
  readonly scheduleId: number | null;
  readonly started: string;
  readonly ended: string;
  readonly requests: number;
  /** Totals that the service claimed: of what matches; with one condition, of all and of the others. */
  readonly totals: { readonly [Of in "matching" | "all" | "others"]?: number | null };
  readonly rows: number;
  readonly sha256: string;
  /** How rows moved, came again or contradicted a claim; the first 100 times. */
  readonly drift: readonly Drift[];
  /** The status with which the service refused the schedule. */
  readonly refused: number | null;
};

/** manifest.json. Times are ISO 8601 in UTC. */
export type EvidenceManifest = {
  readonly format: typeof FORMAT;
  /** The question, in words as well; `before` is the end of its day. */
  readonly asked: EvidenceQuestion & { readonly words: string; readonly before?: string };
  readonly service: string;
  readonly by: Actor | null;
  readonly made: string;
  readonly docket: string;
  readonly addresses: "as read" | "masked";
  readonly complete: boolean;
  readonly incomplete: readonly string[];
  readonly proves: string;
  readonly readings: readonly ListReading[];
};

/** Puts a question in words; throws a ConfigurationError if it is not valid. */
export function describeQuestion(
  question: EvidenceQuestion,
  now: number,
): EvidenceManifest["asked"] {
  if ("body" in question) {
    const body: SearchBody = JSON.parse(searchBodyText(question.body));
    const query = formatSearchQuery({ ...body, fieldSort: [] });
    return { words: query ? `file sets that match ${query}` : "all file sets", body };
  }
  const { on, zone = "UTC" } = question;
  const scheduleIds = [...new Set(question.scheduleIds)];
  check(scheduleIds.length > 0 && scheduleIds.length <= 1000, "scheduleIds", "1 to 1000 ids");
  const which = `schedule${scheduleIds.length > 1 ? "s" : ""} ${scheduleIds.join(", ")}`;
  if (on === undefined) return { words: `runs of ${which}`, scheduleIds };
  check((startOfDay(on, zone) ?? Infinity) <= now, "on", "a day that is not in the future");
  const before = timeText(startOfDay(addDays(on, 1), zone)!);
  return { words: `recipients of ${which} on ${on}, ${zone}`, scheduleIds, on, zone, before };
}

/** The conditions of a search, each turned into a search for what does not meet it. */
export function turnedConditions({ filters = [], dateFilters = [] }: SearchBody): SearchBody[] {
  return [
    ...filters.map(({ not = false, ...rest }) => ({ filters: [{ ...rest, not: !not }] })),
    ...dateFilters.map(({ not = false, ...rest }) => ({ dateFilters: [{ ...rest, not: !not }] })),
  ];
}

export function sayWhatItProves(asked: EvidenceQuestion): string {
  const isUnchecked = "body" in asked && turnedConditions(asked.body).length > 1;
  return "Whoever has the key vouches that the service sent these rows, twice the same ones if the " +
    "pack is complete; it is no proof that the service left nothing out" +
    (isUnchecked ? ", that what matches and what does not add up (for several conditions)" : "") +
    ", or of the time of signing.";
}

/** Why the readings do not show that nothing is missing, as sentences. */
export function findGaps(readings: readonly ListReading[]): string[] {
  const inWords = (total: number | null = null) => total === null ? "no total" : formatCount(total);
  const gaps = readings.flatMap(({ scheduleId, sha256, drift, refused, rows, totals }) => {
    const list = scheduleId === null ? "The list" : `The list of schedule ${scheduleId}`;
    const other = readings.find((each) => each.scheduleId === scheduleId && each.sha256 !== sha256);
    const kinds = new Set(drift.map(({ kind }) => kind));
    const { matching = rows, all, others = null } = totals;
    const isSum = all === undefined || (others !== null && all === matching! + others);
    return [
      refused !== null && `${list} was refused with status ${refused}.`,
      other && `${list} had other rows when it was read again, or another order.`,
      kinds.size > 0 && `${list} moved or contradicted itself: ${[...kinds].join(", ")}.`,
      matching !== rows && `${list} has ${formatCount(rows)} rows, claimed: ${inWords(matching)}.`,
      !isSum && `The totals do not add up: ${inWords(all)} in all, ${inWords(matching)} that ` +
        `match, ${inWords(others)} that don't.`,
    ];
  });
  return [...new Set(gaps)].filter((gap) => typeof gap === "string");
}
