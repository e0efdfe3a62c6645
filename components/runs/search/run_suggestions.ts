import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import { fieldOf } from "../../../lib/search/query_table.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { Suggestion } from "../../search/condition_editor.tsx";
import type { RecipientChoice } from "../recipients/recipient_choices.ts";

const MAX_SUGGESTIONS = 50;

/** The values of a field that runs have; those of few kinds with how many runs have each. */
export function runSuggestions(
  field: string,
  runs: readonly ReportRun[],
  recipients: readonly RecipientChoice[],
): Suggestion[] {
  if (field === "recipient") return uniqueNames(recipients).map((value) => ({ value }));
  const { kind, choices = {} } = fieldOf(RUN_QUERY, field) ?? {};
  if (kind !== "string" && kind !== "boolean") return [];
  const counts = new Map<string, number>();
  for (const run of runs) {
    const value = run[field as keyof ReportRun];
    if (value === null || value === undefined || value === "") continue;
    const word = Object.keys(choices).find((word) => choices[word] === String(value));
    counts.set(word ?? String(value), (counts.get(word ?? String(value)) ?? 0) + 1);
  }
  const isCounted = field === "status" || kind === "boolean";
  return [...counts].sort(([, many], [, few]) => few - many).slice(0, MAX_SUGGESTIONS)
    .map(([value, count]) => ({ value, ...(isCounted && { count }) }));
}

function uniqueNames(recipients: readonly RecipientChoice[]): string[] {
  const names = recipients.map(({ name }) => name).filter((name) => name && !name.includes("@"));
  return names.filter((name) => names.indexOf(name) === names.lastIndexOf(name))
    .slice(0, MAX_SUGGESTIONS);
}
