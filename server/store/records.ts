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

/** A row as an engine returns it, its values in the order of the columns asked for. */
export type Row = readonly unknown[];

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

type FileSetRow = readonly [
  id: string,
  name: string,
  description: string | null,
  created: number,
  createdBy: number,
  updated: number,
  updatedBy: number,
  owner: string,
  permission: string,
  fileCount: number,
];

/** A file set from its row. Written out, and without spreading: it is done for every row. */
export function fileSetOf(row: Row): StoredFileSet {
  const values = row as FileSetRow;
  const created = dateTimeText(values[3]);
  const updated = dateTimeText(values[5]);
  return values[2] === null
    ? {
      id: values[0],
      name: values[1],
      created,
      createdBy: values[4],
      updated,
      updatedBy: values[6],
      owner: values[7],
      permission: values[8],
      fileCount: values[9],
    }
    : {
      id: values[0],
      name: values[1],
      description: values[2],
      created,
      createdBy: values[4],
      updated,
      updatedBy: values[6],
      owner: values[7],
      permission: values[8],
      fileCount: values[9],
    };
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

type RunRow = readonly [
  id: number,
  reportId: number,
  reportTitle: string,
  reportSubject: string,
  startTime: number,
  endTime: number | null,
  automated: number | boolean,
  cardCount: number,
  attachmentCount: number,
  attachmentSize: number,
  emailSize: number,
  status: string,
  ownerId: number,
  recipientCount: number,
  resourceType: string,
  resourceId: number,
  resourceName: string,
  recipients: string,
];

/** A run from its row. */
export function runOf(row: Row): StoredRun {
  const values = row as RunRow;
  const endTime = values[5];
  return {
    id: values[0],
    reportId: values[1],
    reportTitle: values[2],
    reportSubject: values[3],
    startTime: dateTimeText(values[4]),
    ...(endTime === null ? {} : { endTime: dateTimeText(endTime) }),
    automated: Boolean(values[6]),
    cardCount: values[7],
    attachmentCount: values[8],
    attachmentSize: values[9],
    emailSize: values[10],
    status: values[11],
    ownerId: values[12],
    recipientCount: values[13],
    resourceType: values[14],
    resourceId: values[15],
    resourceName: values[16],
    recipients: JSON.parse(values[17]),
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
