/** Rows for tests. */
import { DAY, MINUTE } from "../time_units.ts";
import type { FileSet, ReportRun } from "../types.ts";

/**
 * Makes file sets, always the same ones, in the order of their ids, created one a minute.
 *
 * @param count How many to make.
 * @param from Number of the first one.
 * @returns The file sets, with every field of the interface.
 */
export function makeFileSets(count: number, from = 0): FileSet[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const created = new Date(Date.UTC(2025, 0, 1) + number * MINUTE).toISOString();
    return {
      id: `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`,
      name: `File set ${number}`,
      description: `Made for a test, as number ${number}`,
      created,
      createdBy: 1000 + (number % 7),
      updated: created,
      updatedBy: 1000 + (number % 5),
      owner: ["ann", "bob", "cleo"][number % 3],
      permission: "READ",
      fileCount: number % 40,
    };
  });
}

/**
 * Makes runs of a report schedule, always the same ones, newest first, one a day; each tenth fails.
 *
 * @param count How many to make.
 * @returns The runs, with every field of the interface and two recipients each.
 */
export function makeRuns(count: number): ReportRun[] {
  return Array.from({ length: count }, (_, index) => {
    const number = count - index;
    const start = Date.UTC(2025, 0, 1, 6) + number * DAY;
    return {
      id: number,
      reportId: 7,
      reportTitle: "Weekly figures",
      reportSubject: `Figures, issue ${number}`,
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 90_000).toISOString(),
      automated: true,
      cardCount: 3,
      attachmentCount: 1,
      attachmentSize: 20_000,
      emailSize: 30_000,
      status: number % 10 === 0 ? "failure" : "success",
      ownerId: 1000,
      recipientCount: 2,
      resourceType: "PAGE",
      resourceId: 12,
      resourceName: "Figures",
      recipients: [
        { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" },
        { userId: 2, displayName: "Bob", emailAddress: "bob@example.com" },
      ],
    };
  });
}
