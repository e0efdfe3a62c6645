/**
 * One entry from outside, read as strictly as it will be answered: complete, or refused with every
 * reason.
 *
 * @module
 */

import { fileSetColumns, runColumns } from "../../../lib/fields.ts";
import type { Changes } from "../engine.ts";
import type { StoredFileSet, StoredRun } from "../records.ts";
import { type MemberReader, memberReader, type Members } from "./members.ts";

/** What one entry turned out to be. */
export type Entry =
  | { readonly fileSet: StoredFileSet; readonly unknown: readonly string[] }
  | { readonly scheduleId: number; readonly run: StoredRun; readonly unknown: readonly string[] }
  | { readonly issues: readonly string[] };

const FILE_SET_MEMBERS: readonly string[] = fileSetColumns();

const RUN_MEMBERS = [...runColumns(), "recipients", "scheduleId"];

/** Reads an entry: with a text as its id it is a file set, with a number it is a run. */
export function readEntry(json: unknown, scheduleId?: number): Entry {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { issues: ["is no object"] };
  }
  const reader = memberReader(json as Members);
  if (typeof (json as Members).id === "number") return readRun(reader, scheduleId);
  return typeof (json as Members).id === "string" ? readFileSet(reader) : {
    issues: ["id must be a UUID, of a file set, or a whole number, of a run"],
  };
}

/** The entries as changes to put. */
export function changesOf(entries: readonly Entry[]): Changes {
  return {
    fileSets: entries.flatMap((entry) => "fileSet" in entry ? [entry.fileSet] : []),
    runs: entries.flatMap((entry) => "run" in entry ? [entry] : []),
  };
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function readFileSet(reader: MemberReader): Entry {
  const id = reader.text("id");
  if (!UUID.test(id)) reader.issues.push("id must be a UUID");
  const name = reader.text("name");
  const description = reader.has("description") ? { description: reader.text("description") } : {};
  const fileSet: StoredFileSet = {
    id,
    name,
    ...description,
    created: reader.dateTime("created"),
    createdBy: reader.integer("createdBy"),
    updated: reader.dateTime("updated"),
    updatedBy: reader.integer("updatedBy"),
    owner: reader.text("owner"),
    permission: reader.text("permission"),
    fileCount: reader.integer("fileCount"),
  };
  if (reader.issues.length > 0) return { issues: reader.issues };
  return { fileSet, unknown: reader.unknown(FILE_SET_MEMBERS) };
}

function readRun(reader: MemberReader, givenId: number | undefined): Entry {
  const ownId = reader.has("scheduleId") ? reader.integer("scheduleId") : undefined;
  const scheduleId = ownId ?? givenId;
  if (scheduleId === undefined) {
    reader.issues.push("scheduleId is missing, and no --schedule was given");
  } else if (givenId !== undefined && scheduleId !== givenId) {
    reader.issues.push(`scheduleId is ${scheduleId}, but --schedule is ${givenId}`);
  }
  const run: StoredRun = {
    id: reader.integer("id"),
    reportId: reader.integer("reportId"),
    reportTitle: reader.text("reportTitle"),
    reportSubject: reader.text("reportSubject"),
    startTime: reader.dateTime("startTime"),
    ...(reader.has("endTime") ? { endTime: reader.dateTime("endTime") } : {}),
    automated: reader.boolean("automated"),
    cardCount: reader.integer("cardCount"),
    attachmentCount: reader.integer("attachmentCount"),
    attachmentSize: reader.integer("attachmentSize"),
    emailSize: reader.integer("emailSize"),
    status: reader.text("status"),
    ownerId: reader.integer("ownerId"),
    recipientCount: reader.integer("recipientCount"),
    resourceType: reader.text("resourceType"),
    resourceId: reader.integer("resourceId"),
    resourceName: reader.text("resourceName"),
    recipients: reader.list("recipients", (recipient) => ({
      userId: recipient.integer("userId"),
      displayName: recipient.text("displayName"),
      emailAddress: recipient.text("emailAddress"),
    })),
  };
  if (reader.issues.length > 0 || scheduleId === undefined) return { issues: reader.issues };
  return { scheduleId, run, unknown: reader.unknown(RUN_MEMBERS) };
}
