import type { Recipient, ReportRun } from "../types.ts";
import { comparedAddress, peopleAmong } from "./recipients.ts";
import { durationOf } from "./times.ts";

/** What differs between two runs. */
export interface RunComparison {
  /** The fields that differ; a missing value equals null. */
  readonly changes: readonly {
    /** Name of the field. */
    readonly field: Exclude<keyof ReportRun, "id" | "startTime" | "endTime" | "recipients">;
    /** Its value in the first run. */
    readonly before: string | number | boolean | null;
    /** Its value in the second run. */
    readonly after: string | number | boolean | null;
  }[];
  /** How long each run took, in milliseconds; null if unknown. */
  readonly durations: readonly [before: number | null, after: number | null];
  /** Recipients that only the second run lists, or null if a run has no list. */
  readonly added: readonly Recipient[] | null;
  /** Recipients that only the first run lists, or null if a run has no list. */
  readonly dropped: readonly Recipient[] | null;
  /** Number of recipients that both list, or null if a run has no list. */
  readonly inBoth: number | null;
  /** Recipients that both list, but with another email address, or null if a run has no list. */
  readonly changedAddresses:
    | readonly { readonly before: Recipient; readonly after: Recipient }[]
    | null;
}

/**
 * Compares two runs, such as the same report on two days.
 *
 * @param before The first run.
 * @param after The second run.
 * @returns What differs between them.
 *
 * @example
 * ```ts
 * import { compareRuns } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const { added, dropped, changes } = compareRuns(
 *   { id: 1, emailSize: 10, recipients: [{ userId: 7 }, { userId: 8 }] },
 *   { id: 2, emailSize: 12, recipients: [{ userId: 8 }, { userId: 9 }] },
 * );
 * assertEquals(added, [{ userId: 9 }]);
 * assertEquals(dropped, [{ userId: 7 }]);
 * assertEquals(changes, [{ field: "emailSize", before: 10, after: 12 }]);
 * ```
 */
export function compareRuns(before: ReportRun, after: ReportRun): RunComparison {
  const isKnown = before.recipients && after.recipients;
  const identify = peopleAmong([before.recipients, after.recipients]);
  const [earlier, later] = [before, after].map(({ recipients }): People =>
    new Map((recipients ?? []).map((each) => [identify(each).key, each]))
  );
  const added = isKnown ? notIn(later, earlier) : null;
  return {
    changes: COMPARED_FIELDS.flatMap((field) => {
      const values = { before: before[field] ?? null, after: after[field] ?? null };
      return values.before === values.after ? [] : [{ field, ...values }];
    }),
    durations: [durationOf(before) ?? null, durationOf(after) ?? null],
    added,
    dropped: isKnown ? notIn(earlier, later) : null,
    inBoth: added && later.size - added.length,
    changedAddresses: isKnown ? changedAddresses(earlier, later) : null,
  };
}

const COMPARED_FIELDS: readonly RunComparison["changes"][number]["field"][] = [
  "status",
  "automated",
  "reportTitle",
  "reportSubject",
  "reportId",
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
  "recipientCount",
  "resourceType",
  "resourceName",
  "resourceId",
  "ownerId",
];

type People = ReadonlyMap<string, Recipient>;

/** Recipients of both runs whose address changed; a missing address is no change. */
function changedAddresses(earlier: People, later: People) {
  return [...later].flatMap(([key, recipient]) => {
    const old = earlier.get(key);
    const [from, to] = [old, recipient].map((each) => comparedAddress(each?.emailAddress));
    return old && from && to && from !== to ? [{ before: old, after: recipient }] : [];
  });
}

function notIn(people: People, others: People): Recipient[] {
  return [...people].filter(([key]) => !others.has(key)).map(([, recipient]) => recipient);
}
