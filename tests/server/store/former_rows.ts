/** Rows as the schema kept them before each row had its JSON, and what they have to become. */
import { assertEquals } from "@std/assert";
import type { StoredFileSet, StoredRun } from "../../../server/store/stored_rows.ts";
import type { Store } from "../../../server/store/store.ts";
import { fileSet, run } from "./rows.ts";

const ODD = 'Quote " and \\ and \n, \u2028, \u{1f600}, 100 %';

/** File sets; the second is without a description, the third has a sharp s in upper case. */
const FILE_SETS: StoredFileSet[] = [
  fileSet(1, { name: ODD, created: "1969-12-31T23:59:59.999Z" }),
  (({ description: _, ...rest }) => rest)(fileSet(2)),
  fileSet(3, { name: "STRAẞE", updated: "2025-01-02T03:04:05.007Z" }),
];
const RUNS: StoredRun[] = [
  run(2, { startTime: "2025-01-02T06:00:00.000Z", automated: false, reportTitle: ODD }),
  (({ endTime: _, ...rest }) => rest)(run(1)),
];

/** The statements that put the rows into the former tables. */
export function formerRows(booleans: readonly [no: string, yes: string]): string[] {
  const text = (value?: string) =>
    value === undefined ? "NULL" : `'${value.replaceAll("'", "''")}'`;
  const ms = (value?: string) => value === undefined ? "NULL" : String(Date.parse(value));
  // As they were folded, which kept the sharp s that is upper case.
  const folded = (value?: string) => text(value?.toLowerCase());
  return [
    ...FILE_SETS.map((row) =>
      "INSERT INTO file_sets (id, name, description, created, created_by, updated, updated_by, " +
      "owner, permission, file_count, name_folded, description_folded, owner_folded, " +
      `permission_folded) VALUES (${text(row.id)}, ${text(row.name)}, ${text(row.description)}, ` +
      `${ms(row.created)}, ${row.createdBy}, ${ms(row.updated)}, ${row.updatedBy}, ` +
      `${text(row.owner)}, ${text(row.permission)}, ${row.fileCount}, ${folded(row.name)}, ` +
      `${folded(row.description)}, ${folded(row.owner)}, ${folded(row.permission)})`
    ),
    "INSERT INTO schedules (id) VALUES (5)",
    ...RUNS.map((row) =>
      "INSERT INTO runs (schedule_id, id, report_id, report_title, report_subject, start_time, " +
      "end_time, automated, card_count, attachment_count, attachment_size, email_size, status, " +
      "owner_id, recipient_count, resource_type, resource_id, resource_name, recipients) VALUES " +
      `(5, ${row.id}, ${row.reportId}, ${text(row.reportTitle)}, ${text(row.reportSubject)}, ` +
      `${ms(row.startTime)}, ${ms(row.endTime)}, ${booleans[Number(row.automated)]}, ` +
      `${row.cardCount}, ${row.attachmentCount}, ${row.attachmentSize}, ${row.emailSize}, ` +
      `${text(row.status)}, ${row.ownerId}, ${row.recipientCount}, ${text(row.resourceType)}, ` +
      `${row.resourceId}, ${text(row.resourceName)}, ${text(JSON.stringify(row.recipients))})`
    ),
  ];
}

/** Asserts that the store answers with the rows, and takes them for unchanged. */
export async function assertRowsKept(store: Store): Promise<void> {
  assertEquals((await store.fileSets.search()).fileSets, FILE_SETS);
  assertEquals(await store.reportSchedules.history(5), RUNS);
  const runs = RUNS.map((run) => ({ scheduleId: 5, run }));
  assertEquals(await store.put({ fileSets: FILE_SETS, runs }), { added: 0, changed: 0 });
  for (const value of ["straße", "STRASSE", "ẞ"]) {
    const filters = [{ field: "name", operator: "LIKE", value: [value] }];
    const { fileSets } = await store.fileSets.search({ filters });
    assertEquals(fileSets.map(({ name }) => name), ["STRAẞE"]);
  }
}
