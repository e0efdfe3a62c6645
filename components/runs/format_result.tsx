import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../lib/runs/status.ts";
import { resultWords } from "./format.ts";
import { statusTone } from "./verdict/changes.ts";

const SIGNS: Readonly<Record<StatusMeaning, string>> = {
  good: "✓",
  bad: "✕",
  pending: "○",
  unknown: "?",
};

/** How a run ended, such as `✕ Failed`, beside a heading. */
export function ResultBadge({ status, statuses }: {
  readonly status: string | null | undefined;
  readonly statuses: StatusDictionary;
}) {
  const meaning = meaningOf(status, statuses);
  return (
    <strong class={`badge ${statusTone(meaning)}`}>
      <span aria-hidden="true">{SIGNS[meaning]}</span> {resultWords(status, statuses)}
    </strong>
  );
}
