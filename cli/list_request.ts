import { fileSetColumns, recipientColumns, runColumns } from "../lib/fields.ts";
import type { SearchBody } from "../lib/mod.ts";
import { UsageError } from "./command.ts";
import type { Values } from "./options.ts";
import { FILE_SET_TABLE, RECIPIENT_TABLE, RUN_TABLE, RUN_TABLE_ONLY } from "./table_rows.ts";
import {
  fieldName,
  type Format,
  readColumns,
  readCount,
  readFormat,
  readId,
  readQuery,
} from "./values.ts";

export interface ListRequest {
  readonly columns: readonly string[];
  /** Whether `--columns` chose them; otherwise JSON has every field. */
  readonly isChosen: boolean;
  readonly skipped: number;
  readonly subject:
    | { readonly body: SearchBody }
    | { readonly scheduleId: number; readonly recipients: boolean };
  readonly format: Format;
  readonly all: boolean;
  readonly max: number;
  readonly limit: number | undefined;
  readonly resume: string | undefined;
  readonly prefetch: number;
  readonly verify: boolean;
  readonly curl: boolean;
}

export function readFileSetRequest(values: Values, positionals: readonly string[]): ListRequest {
  const options = readOptions(values);
  const chosen = readColumns(values.columns, fileSetColumns(), {
    fieldOf: fieldName,
    mayHaveMore: true,
  });
  return {
    ...options,
    columns: chosen ?? (options.format === "table" ? FILE_SET_TABLE : fileSetColumns()),
    isChosen: chosen !== undefined,
    skipped: readCount(values, "offset", 0) ?? 0,
    subject: { body: readQuery(values, positionals) },
  };
}

export function readHistoryRequest(values: Values, positionals: readonly string[]): ListRequest {
  const options = readOptions(values);
  const { recipients = false } = values;
  const isTable = options.format === "table";
  const usual = recipients ? recipientColumns() : runColumns();
  const chosen = readColumns(values.columns, [
    ...usual,
    ...(recipients ? runColumns() : ["recipients"]),
    "scheduleId",
    ...(isTable ? RUN_TABLE_ONLY : []),
  ]);
  const inTable = recipients ? RECIPIENT_TABLE : RUN_TABLE;
  return {
    ...options,
    columns: chosen ?? (isTable ? inTable : usual),
    isChosen: chosen !== undefined,
    skipped: readCount(values, "skip", 0) ?? 0,
    subject: { scheduleId: readId("history", positionals), recipients },
  };
}

function readOptions(
  values: Values,
): Omit<ListRequest, "columns" | "isChosen" | "skipped" | "subject"> {
  const { format: typed, json, all = false, resume, verify = false, curl = false } = values;
  const format = readFormat(values);
  if (json && typed && typed !== "json") throw new UsageError(`Use --json or --format ${typed}`);
  if (resume !== undefined) {
    if (!all) throw new UsageError("--resume needs --all");
    if (format !== "csv" && format !== "ndjson") {
      throw new UsageError("--resume needs --format csv or ndjson, which can be continued");
    }
  }
  const max = readCount(values, "max", 1) ?? Infinity;
  return {
    format,
    all: all || max < Infinity,
    max,
    limit: readCount(values, "limit", 1, 1000),
    resume,
    prefetch: readCount(values, "prefetch", 1) ?? 4,
    verify,
    curl,
  };
}
