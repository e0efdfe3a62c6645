import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../lib/runs/status.ts";
import { resultWords } from "./format.ts";

const SIGNS: Readonly<Record<StatusMeaning, string>> = {
  good: "✓",
  bad: "✕",
  pending: "○",
  unknown: "?",
};

const TONES = { good: "good", bad: "bad", pending: "neutral", unknown: "neutral" } as const;

/** How a run ended, such as `✕ Failed`, beside a heading. */
export function ResultBadge({ status, statuses }: {
  readonly status: string | null | undefined;
  readonly statuses: StatusDictionary;
}) {
  const meaning = meaningOf(status, statuses);
  return (
    <strong class={`badge ${TONES[meaning]}`}>
      <span aria-hidden="true">{SIGNS[meaning]}</span> {resultWords(status, statuses)}
    </strong>
  );
}
