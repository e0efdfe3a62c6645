import { formatDuration } from "../../../lib/format.ts";
import type { SlotOutcome } from "../../../lib/judgement/slots.ts";
import { LoneMoment } from "../../ui/moment.tsx";

export interface RunDue {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** How long after that it started, in milliseconds; negative if it started before. */
  readonly lateMs: number;
  readonly outcome: SlotOutcome;
  readonly words: string;
  readonly source: "confirmed" | "inferred";
}

const ON_TIME_MS = 60_000;

export function DueLine({ due: { at, lateMs, outcome, words, source } }: {
  readonly due: RunDue;
}) {
  const late = lateMs < ON_TIME_MS ? "on time" : `${formatDuration(lateMs)} later`;
  return (
    <p>
      Due <LoneMoment at={at} />, started {late}
      {outcome === "late" && ", after the grace"}
      {outcome === "made-up" && ", by hand"}. Plan ({source}): {words}.
    </p>
  );
}
