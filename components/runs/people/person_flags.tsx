import type { Recipient } from "../../../lib/types.ts";

interface ShownPerson {
  readonly id: number;
  readonly recipient: Recipient;
  readonly isOutside: boolean;
  readonly isNew: boolean;
  /** Whether somebody decided that the person is expected, or not; null if nobody did. */
  readonly isExpected: boolean | null;
  readonly lastDay: string | null;
  readonly hasLeft: boolean;
  readonly isReceiving: boolean;
  readonly odd: string | null;
}

export function PersonFlags({ person }: { readonly person: ShownPerson }) {
  const { isOutside, isNew, isExpected, lastDay, hasLeft, isReceiving, odd } = person;
  return (
    <>
      {isOutside && isExpected && <span class="flag tier">outside, expected</span>}
      {isOutside && !isExpected && (isNew
        ? <strong class="flag tier bad">◆ new outside</strong>
        : <span class="flag tier drift">outside</span>)}
      {isExpected === false && <strong class="flag tier bad">not expected</strong>}
      {odd && <strong class="flag tier bad">⚠ {odd}</strong>}
      {lastDay && (
        <strong class={`flag tier ${hasLeft && isReceiving ? "bad" : "drift"}`}>
          {hasLeft ? "left" : "leaves"} {lastDay}
        </strong>
      )}
    </>
  );
}
