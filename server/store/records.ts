/**
 * File sets and runs as the store keeps them: every documented field has a value, except the two
 * that may be missing.
 *
 * @module
 */

import type { FileSet, Recipient, ReportRun } from "../../lib/types.ts";
import { dateTimeText } from "./dates.ts";
import { foldCase } from "./text.ts";

type Complete<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };

/** A file set with all its fields; only `description` may be missing. */
export type StoredFileSet =
  & Complete<Omit<FileSet, "description">>
  & { readonly description?: string };

/** A run with all its fields; only `endTime` may be missing. */
export type StoredRun =
  & Complete<Omit<ReportRun, "endTime" | "recipients">>
  & { readonly endTime?: string; readonly recipients: readonly Complete<Recipient>[] };

/** A row as an engine returns it, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns of a run, in the order of the interface. */
export const RUN_COLUMNS = [
  "id",
  "report_id",
  "report_title",
  "report_subject",
  "start_time",
  "end_time",
  "automated",
  "card_count",
  "attachment_count",
  "attachment_size",
  "email_size",
  "status",
  "owner_id",
  "recipient_count",
  "resource_type",
  "resource_id",
  "resource_name",
  "recipients",
] as const;

/** A file set from its row, members in the order of the interface. */
export function fileSetOf(row: Row): StoredFileSet {
  const head = { id: row.id as string, name: row.name as string };
  const tail = {
    created: dateTimeText(row.created as number),
    createdBy: row.created_by as number,
    updated: dateTimeText(row.updated as number),
    updatedBy: row.updated_by as number,
    owner: row.owner as string,
    permission: row.permission as string,
    fileCount: row.file_count as number,
  };
  return row.description === null
    ? { ...head, ...tail }
    : { ...head, description: row.description as string, ...tail };
}

/** The columns that are written for a file set, the key first. */
export const FILE_SET_WRITE_COLUMNS = [
  "id",
  "name",
  "description",
  "created",
  "created_by",
  "updated",
  "updated_by",
  "owner",
  "permission",
  "file_count",
  "name_folded",
  "description_folded",
  "owner_folded",
  "permission_folded",
] as const;

/** The values of a file set in the order of {@linkcode FILE_SET_WRITE_COLUMNS}. */
export function fileSetValues(fileSet: StoredFileSet): (string | number | null)[] {
  const description = fileSet.description ?? null;
  return [
    fileSet.id,
    fileSet.name,
    description,
    Date.parse(fileSet.created),
    fileSet.createdBy,
    Date.parse(fileSet.updated),
    fileSet.updatedBy,
    fileSet.owner,
    fileSet.permission,
    fileSet.fileCount,
    foldCase(fileSet.name),
    description === null ? null : foldCase(description),
    foldCase(fileSet.owner),
    foldCase(fileSet.permission),
  ];
}

/** A run from its row, members in the order of the interface. */
export function runOf(row: Row): StoredRun {
  return {
    id: row.id as number,
    reportId: row.report_id as number,
    reportTitle: row.report_title as string,
    reportSubject: row.report_subject as string,
    startTime: dateTimeText(row.start_time as number),
    ...(row.end_time === null ? {} : { endTime: dateTimeText(row.end_time as number) }),
    automated: Boolean(row.automated),
    cardCount: row.card_count as number,
    attachmentCount: row.attachment_count as number,
    attachmentSize: row.attachment_size as number,
    emailSize: row.email_size as number,
    status: row.status as string,
    ownerId: row.owner_id as number,
    recipientCount: row.recipient_count as number,
    resourceType: row.resource_type as string,
    resourceId: row.resource_id as number,
    resourceName: row.resource_name as string,
    recipients: JSON.parse(row.recipients as string),
  };
}

/** The values of a run in the order of {@linkcode RUN_COLUMNS}, dates as milliseconds. */
export function runValues(run: StoredRun): (string | number | boolean | null)[] {
  return [
    run.id,
    run.reportId,
    run.reportTitle,
    run.reportSubject,
    Date.parse(run.startTime),
    run.endTime === undefined ? null : Date.parse(run.endTime),
    run.automated,
    run.cardCount,
    run.attachmentCount,
    run.attachmentSize,
    run.emailSize,
    run.status,
    run.ownerId,
    run.recipientCount,
    run.resourceType,
    run.resourceId,
    run.resourceName,
    JSON.stringify(run.recipients.map(({ userId, displayName, emailAddress }) => ({
      userId,
      displayName,
      emailAddress,
    }))),
  ];
}
