import type { SlotOutcome } from "../../../lib/runs/judge/slots.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { formatDuration } from "../../ui/format.ts";
import { Missing, Moment, ZoneName } from "../../ui/moment.tsx";
import { RunLink } from "../run_link.tsx";

/** A moment at which a run was due, and what matched it. */
export interface PlanSlot {
  readonly at: string;
  readonly outcome: SlotOutcome;
  /** The run that matched. */
  readonly run: Pick<ReportRun, "id" | "startTime"> | null;
  /** How long after the slot it started, in milliseconds. */
  readonly lateMs: number | null;
  /** Why it does not count. */
  readonly exempt: "paused" | "before" | null;
}

const OUTCOMES: Readonly<Record<SlotOutcome, readonly [meaning: string, words: string]>> = {
  met: ["good", "✓ in time"],
  late: ["neutral", "○ late"],
  missed: ["bad", "✕ missed"],
  overdue: ["bad", "✕ overdue"],
  "made-up": ["neutral", "○ made up by hand"],
  due: ["neutral", "○ due, grace not over"],
};

const EXEMPT = { paused: "no run expected", before: "before the plan holds" };

/** The latest slots, newest first, with the run that matched each. */
export function PlanSlots({ slots, scheduleId }: {
  readonly slots: readonly PlanSlot[];
  readonly scheduleId: number;
}) {
  return (
    <>
      <h2>Latest slots</h2>
      {slots.length === 0
        ? <p>No slot since the first run.</p>
        : (
          <div class="scroll" role="region" aria-label="Latest slots" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">
                    due <ZoneName />
                  </th>
                  <th scope="col">result</th>
                  <th scope="col">run started</th>
                  <th scope="col">after</th>
                </tr>
              </thead>
              <tbody>
                {slots.map((slot) => (
                  <tr key={slot.at}>
                    <th scope="row">
                      <Moment at={slot.at} />
                    </th>
                    <td>
                      <Result slot={slot} />
                    </td>
                    <td>
                      {slot.run ? <RunLink run={slot.run} scheduleId={scheduleId} /> : <Missing />}
                    </td>
                    <td>{slot.lateMs === null ? <Missing /> : formatDuration(slot.lateMs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
    </>
  );
}

function Result({ slot: { outcome, run, exempt } }: { readonly slot: PlanSlot }) {
  if (exempt && !run) return <span class="status neutral">○ {EXEMPT[exempt]}</span>;
  const [meaning, words] = OUTCOMES[outcome];
  return <span class={`status ${meaning}`}>{words}</span>;
}
