import { When } from "../../../components/ui/moment.tsx";
import type { deliveryRow } from "../../../server/pages/incident_rows.ts";

export function DeliveryState({ delivery }: {
  readonly delivery: Pick<
    ReturnType<typeof deliveryRow>,
    "sent" | "next" | "isInTurn" | "givenUp" | "error"
  >;
}) {
  const { sent, next, isInTurn, givenUp, error } = delivery;
  const when = (at: number) => <When at={at} />;
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
