import { formatCountOf } from "../../../lib/format.ts";
import { Ago } from "../../ui/ago.tsx";

/** What the verdicts of a watch list rest on. */
export function WatchBasis({ oldest, own, now }: {
  /** When the oldest of the stored verdicts was made; null if none is shown. */
  readonly oldest: number | null;
  /** How many the page made itself, though one is stored. */
  readonly own: number;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}) {
  return (
    <>
      {oldest !== null && (
        <>
          Verdicts are from the last looks, the oldest <Ago at={oldest} now={now} />.{" "}
        </>
      )}
      {own > 0 &&
        `This page judged ${formatCountOf(own, "schedule", "schedules")} itself: it read other ` +
          "runs than the last look or uses other status meanings, or the stored verdict no longer " +
          "holds."}
    </>
  );
}
