import type { StatusMeaning } from "../../lib/runs/status.ts";

const SIGNS: Readonly<Record<StatusMeaning, string>> = { good: "✓", bad: "✕", neutral: "○" };

/** The status of a run in the service's words, with a sign and a colour for its meaning. */
export function StatusMark({ status, meaning }: {
  readonly status: string | null | undefined;
  readonly meaning: StatusMeaning;
}) {
  return (
    <span class={`status ${meaning}`}>
      <span aria-hidden="true">{SIGNS[meaning]}</span> {status || "no status"}
    </span>
  );
}
