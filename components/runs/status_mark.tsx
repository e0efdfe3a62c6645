import type { StatusMeaning } from "../../lib/runs/status.ts";

const SIGNS: Readonly<Record<StatusMeaning, string>> = { good: "✓", bad: "✕", neutral: "○" };

/** A run's status in the service's own word, with a sign and a colour for what it means. */
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
