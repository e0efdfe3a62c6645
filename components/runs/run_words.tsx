/** What pages say of runs and their values. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import {
  defaultStatusDictionary,
  meaningOfRun,
  shortStatus,
  type StatusDictionary,
} from "../../lib/runs/status.ts";
import { Marked } from "../ui/notices.tsx";
import { formatBytes, formatCount, formatCountOf } from "../../lib/format.ts";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";
import { RUN_QUERY } from "../../lib/runs/run_search.ts";
import type { ReportRun } from "../../lib/types.ts";
import { fieldNamed } from "../../lib/search/query_table.ts";

/** What the service's statuses mean. */
export const Statuses = createContext(defaultStatusDictionary());

const RESULTS = {
  good: ["✓", "good", "Sent"],
  bad: ["✕", "bad", "Failed"],
  pending: ["○", "neutral", "Running"],
  unknown: ["?", "neutral", "Unknown"],
} as const;

/** What a run's status says, such as `Sent`, or `Unknown (ARCHIVED)`. */
export function resultWords(run: ReportRun, dictionary: StatusDictionary): string {
  const meaning = meaningOfRun(run, dictionary);
  const words = RESULTS[meaning][2];
  return meaning === "unknown" ? `${words} (${shortStatus(run.status ?? null)})` : words;
}

/** How a run ended, such as `✕ Failed`, beside a heading. */
export function ResultBadge({ run }: { readonly run: ReportRun }) {
  const dictionary = useContext(Statuses);
  const mark = RESULTS[meaningOfRun(run, dictionary)];
  return <Marked mark={mark} look="badge">{resultWords(run, dictionary)}</Marked>;
}

/** On which runs a page is based, and why; empty if on all. */
export function formatLoaded({ runs, stopped, olderUnread, newerUnread }: LoadedRuns): string {
  if (stopped === "end") return "";
  const count = formatCountOf(runs.length, "run", "runs");
  const missing = [newerUnread && "newer", olderUnread && "older"].filter(Boolean).join(" and ");
  const others = missing === "" ? "" : `; there may be ${missing} ones`;
  const reason = {
    enough: "",
    time: " The service was too slow to load more.",
    error: " The service failed before more could be loaded.",
  }[stopped];
  return `Based on ${newerUnread ? count : `the latest ${count}`}${others}.${reason}`;
}

/** A share as a percentage: 100 % only for all, and 0 % only for none. */
export function formatPercent(share: number): string {
  if (share > 0.999 && share < 1) return "over 99.9 %";
  if (share > 0 && share < 0.001) return "under 0.1 %";
  return `${(share * 100).toFixed(share === 0 || share === 1 ? 0 : 1)} %`;
}

export function triggerLabel(automated: boolean | null | undefined): string | undefined {
  if (automated === true) return "automated";
  if (automated === false) return "manual";
}

/** A run's value, other than a time, as text; empty if it is missing. */
export function formatRunValue(
  field: string,
  value: string | number | boolean | null | undefined,
): string {
  if (typeof value === "boolean") return triggerLabel(value)!;
  if (typeof value !== "number") return value ?? "";
  const kind = fieldNamed(RUN_QUERY, field)?.kind;
  if (kind === "bytes") return formatBytes(value);
  return kind === "count" ? formatCount(value) : String(value);
}
