/** The options and arguments of the commands that list rows. */
import { fileSetColumns, recipientColumns, runColumns } from "../lib/fields.ts";
import { parseSearchQuery, type SearchBody } from "../lib/mod.ts";
import { joinSearches } from "../lib/search/search_url.ts";
import {
  checkConditions,
  fieldName,
  readCount,
  readId,
  readView,
  readZone,
  type Values,
} from "./argument_values.ts";
import {
  type ConnectionArguments,
  type Format,
  type ListOptions,
  type ListSubject,
  UsageError,
} from "./command.ts";
import { FILE_SET_TABLE, RECIPIENT_TABLE, RUN_TABLE, RUN_TABLE_ONLY } from "./table_rows.ts";
import { suggestion, terminalWidth } from "../lib/terminal.ts";

const FORMATS: readonly string[] = ["table", "csv", "ndjson", "json"];

export function readFormat(values: Values): Format {
  const format = String(values.format ?? (values.json ? "json" : "table"));
  if (FORMATS.includes(format)) return format as Format;
  const meant = suggestion(format, FORMATS);
  throw new UsageError(`--format must be one of ${FORMATS.join(", ")}${meant}`);
}

export function readList(values: Values, connection: ConnectionArguments): ListOptions {
  const format = readFormat(values);
  if (values.json && format !== "json") throw new UsageError(`Use --json or --format ${format}`);
  const all = values.all === true || values.max !== undefined;
  if (values.resume !== undefined) {
    if (values.all !== true) throw new UsageError("--resume needs --all");
    if (format !== "csv" && format !== "ndjson") {
      throw new UsageError("--resume needs --format csv or ndjson, which can be continued");
    }
  }
  return {
    ...connection,
    format,
    all,
    prefetch: readCount("prefetch", String(values.prefetch ?? 4), 1),
    verify: values.verify === true,
    curl: values.curl === true,
    ...(values.max !== undefined && { max: readCount("max", values.max, 1) }),
    ...(values.limit !== undefined && { limit: readCount("limit", values.limit, 1, 1000) }),
    ...(values.resume !== undefined && { resume: String(values.resume) }),
  };
}

/** What is listed, and which of its columns. */
export function readSubject(
  name: "filesets" | "history",
  values: Values,
  rest: readonly string[],
): ListSubject {
  const { filter, date, sort, offset, skip } = values;
  const isTable = readFormat(values) === "table";
  const zone = name === "filesets" ? readZone(values) : undefined;
  const { body, columns, ...view } = readView({
    filter: checkConditions(filter, "--filter "),
    date,
    sort,
    offset,
    skip,
    columns: values.columns,
  }, zone);
  if (values.columns !== undefined && !columns) throw new UsageError("--columns names no field");
  const skipped = view.offset ?? view.skip;
  const base = {
    isChosen: columns !== undefined,
    ...(skipped !== undefined && { skipped }),
  };
  if (name === "filesets") {
    return {
      ...base,
      name,
      body: joinSearches(readQuery(rest.map((word) => word.trim()).join(" "), zone), body),
      columns: readColumns(
        columns?.map(fieldName),
        isTable ? FILE_SET_TABLE : fileSetColumns(),
        fileSetColumns(),
      ),
    };
  }
  const recipients = values.recipients === true;
  const usual = recipients ? recipientColumns() : runColumns();
  const tableColumns = recipients ? RECIPIENT_TABLE : RUN_TABLE;
  const known = [
    ...usual,
    ...(recipients ? runColumns() : ["scheduleId", "recipients"]),
    ...(isTable ? RUN_TABLE_ONLY : []),
  ];
  return {
    ...base,
    name,
    scheduleId: readId(name, rest),
    recipients,
    columns: readColumns(columns, isTable ? tableColumns : usual, known),
  };
}

/** The search of a query. The error points at the parts that are not valid. */
function readQuery(query: string, zone?: string): SearchBody {
  const { body, issues } = parseSearchQuery(query, { zone });
  if (issues.length === 0) return body;
  // Tabs and line breaks would move the marks.
  const line = query.replace(/\s/g, " ");
  const lines = issues.map(({ start, end, detail }) =>
    `${detail}\n  ${line}\n  ${" ".repeat(terminalWidth(line.slice(0, start)))}${
      "^".repeat(Math.max(1, terminalWidth(line.slice(start, end))))
    }`
  );
  throw new UsageError(lines.join("\n"));
}

/** The chosen columns, or the usual ones; an error if one of them is not among all. */
export function readColumns(
  chosen: readonly string[] | undefined,
  usual: readonly string[],
  all: readonly string[],
): readonly string[] {
  const known = [...new Set(all)];
  const unknown = chosen?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const meant = suggestion(unknown, known);
    throw new UsageError(`--columns: there is no "${unknown}"${meant}: use ${known.join(", ")}`);
  }
  return chosen ?? usual;
}
