import { When } from "../../ui/moment.tsx";

/** A delivery on a page; times are milliseconds since 1970. */
export interface DeliveryRow {
  readonly id: string;
  readonly outlet: string;
  readonly sent: number | null;
  readonly next: number | null;
  /** Whether no earlier message of its incident has to be sent first. */
  readonly isInTurn: boolean;
  readonly givenUp: boolean;
  readonly error: string | null;
}

export function DeliveryState({ delivery, now }: {
  readonly delivery: DeliveryRow;
  readonly now: number;
}) {
  const { sent, next, isInTurn, givenUp, error } = delivery;
  const when = (at: number) => <When at={at} now={now} />;
  if (givenUp) return <span class="status bad">⚠ failed: {error}</span>;
  if (sent && !next) {
    return error
      ? <span class="status bad">⚠ sent, but: {error}</span>
      : <span class="status good">✓ sent {when(sent)}</span>;
  }
  return (
    <>
      {error && <span class="status bad">⚠ {error};</span>} {sent && "being sent again; "}
      {!next
        ? "waits as part of another message"
        : !isInTurn
        ? "waits for the message before it"
        : <>next attempt {when(next)}</>}
    </>
  );
}
