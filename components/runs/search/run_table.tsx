import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { durationOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { MISSING, ZoneName } from "../../ui/moment.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import { sortedBy } from "../../search/page_view.ts";
import { columnLabel, isNumber } from "../../search/search_words.ts";
import { type RunView, viewHref } from "../run_links.ts";
import { triggerLabel } from "../format.ts";
import type { RunColumn } from "./run_columns.ts";

/** Runs as a table with headers that sort it. */
export function RunTable({ runs, view, columns, scheduleId, dictionary }: {
  readonly runs: readonly ReportRun[];
  readonly view: RunView;
  readonly columns: readonly RunColumn[];
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  // Numbers come last, so that one class aligns them all.
  const firstNumber = columns.findIndex((field) => isNumber(RUN_QUERY, field)) + 1;
  const pick = view.pick ? 1 : 0;
  return (
    <TableFrame
      name="Runs"
      hasTimes
      class={`cards dense${firstNumber > 0 ? ` numbers-${firstNumber + pick}` : ""}`}
      headings={
        <>
          {view.pick && <th scope="col">Compare</th>}
          {columns.map((field) => <SortHeader key={field} field={field} view={view} />)}
        </>
      }
    >
      {runs.map((run, index) => (
        // A service may repeat an id, so it can't be the key by itself.
        <tr key={`${run.id} ${index}`}>
          {view.pick && (
            <td>
              <input
                type="checkbox"
                name="run"
                value={run.id}
                aria-label={`Compare run ${run.id}`}
              />
            </td>
          )}
          {columns.map((field) => cellOf(run, field, { scheduleId, dictionary, zone }))}
        </tr>
      ))}
    </TableFrame>
  );
}

function SortHeader({ field, view }: { readonly field: RunColumn; readonly view: RunView }) {
  const [key] = view.body.fieldSort ?? [];
  const direction = key?.field !== field
    ? undefined
    : key.order === "DESC"
    ? "descending"
    : "ascending";
  return (
    <th scope="col" aria-sort={direction}>
      <a href={viewHref(sortedBy(view, field))}>
        {columnLabel(RUN_QUERY, field)}
        {direction && <span aria-hidden="true">{direction === "descending" ? " ↓" : " ↑"}</span>}
      </a>
      {field.endsWith("Time") && (
        <>
          {" "}
          <ZoneName />
        </>
      )}
    </th>
  );
}

interface CellContext {
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}

/**
 * A cell. A function instead of a component, with as little markup as possible: a page has a
 * thousand of them. Links are relative to the schedule's page.
 */
function cellOf(run: ReportRun, field: RunColumn, { scheduleId, dictionary, zone }: CellContext) {
  switch (field) {
    case "startTime":
      return (
        <th key={field} scope="row">
          <a href={`${scheduleId}/runs/${run.id}`}>
            {run.startTime ? momentOf(run.startTime, zone) : `run ${run.id}`}
          </a>
        </th>
      );
    case "endTime":
      return (
        <td key={field} data-label={columnLabel(RUN_QUERY, field)}>
          {run.endTime ? momentOf(run.endTime, zone) : MISSING}
        </td>
      );
    case "status":
      return (
        <td key={field} class={meaningOf(run.status, dictionary)}>{run.status || "no status"}</td>
      );
    // What it shows names itself.
    case "automated":
      return <td key={field}>{valueOf(run, field) || MISSING}</td>;
    default:
      return (
        <td key={field} data-label={columnLabel(RUN_QUERY, field)}>
          {valueOf(run, field) || MISSING}
        </td>
      );
  }
}

/** A time to the minute; to the second on hover. */
function momentOf(at: string, zone: string) {
  return <time title={at.replace(".000Z", "Z")}>{formatMoment(at, zone)}</time>;
}

/** The content of a cell; nothing for a missing value. */
function valueOf(run: ReportRun, field: Exclude<RunColumn, "startTime">): ComponentChildren {
  switch (field) {
    case "automated":
      return triggerLabel(run.automated);
    case "duration":
      return formatRunDuration(run);
    case "attachmentSize":
    case "emailSize":
      return typeof run[field] === "number" ? formatBytes(run[field]) : undefined;
    case "cardCount":
    case "attachmentCount":
    case "recipientCount":
      return typeof run[field] === "number" ? formatCount(run[field]) : undefined;
    default:
      return String(run[field] ?? "");
  }
}

/** How long a run took; nothing for a run without an end. */
export function formatRunDuration(
  run: Pick<ReportRun, "startTime" | "endTime">,
): string | undefined {
  const ms = durationOf(run);
  return ms === undefined ? undefined : formatDuration(ms);
}
