/** Rows for tests: valid ones, with the members that matter passed by the test. */
import { DAY } from "../../../lib/time_units.ts";
import type { FileSet, Recipient, ReportRun } from "../../../lib/types.ts";

type Filled<Row> = { readonly [Name in keyof Row]-?: NonNullable<Row[Name]> };
export type StoredRun = Filled<Omit<ReportRun, "recipients">> & {
  readonly recipients: readonly Filled<Recipient>[];
};

/** A file set whose id ends in `n`. */
export function fileSet(n: number, members: Partial<Filled<FileSet>> = {}): Filled<FileSet> {
  return {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    name: `Set ${n}`,
    description: `The set number ${n}`,
    created: "2025-01-01T00:00:00.000Z",
    createdBy: 1,
    updated: "2025-01-02T00:00:00.000Z",
    updatedBy: 2,
    owner: "Finance",
    permission: "READ",
    fileCount: n,
    ...members,
  };
}

/** A good run that started on a day, counted from 1970. */
export const runOn = (
  id: number,
  day: number,
  recipients?: ReportRun["recipients"],
): ReportRun => ({
  id,
  startTime: new Date(day * DAY).toISOString(),
  status: "success",
  recipients,
});

/** A run with that id. */
export function run(id: number, members: Partial<StoredRun> = {}): StoredRun {
  return {
    id,
    reportId: 5001,
    reportTitle: "Revenue",
    reportSubject: "Revenue of yesterday",
    startTime: "2025-01-01T06:00:00.000Z",
    endTime: "2025-01-01T06:01:00.000Z",
    automated: true,
    cardCount: 3,
    attachmentCount: 1,
    attachmentSize: 1000,
    emailSize: 2000,
    status: "success",
    ownerId: 7,
    recipientCount: 1,
    resourceType: "page",
    resourceId: 9,
    resourceName: "Revenue",
    recipients: [{ userId: 1, displayName: "Ada", emailAddress: "ada@example.com" }],
    ...members,
  };
}
