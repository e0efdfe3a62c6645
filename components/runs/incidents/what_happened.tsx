import { useContext } from "preact/hooks";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { When } from "../../ui/ago.tsx";
import { DeliveryState } from "./delivery_table.tsx";
import type { DeliveryRow } from "./delivery_table.tsx";

export interface Happening {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly words: string;
  readonly isBad?: boolean;
  readonly href?: string;
  /** Who did it; empty for Docket itself. */
  readonly person?: string;
  readonly note?: string | null;
  readonly deliveries?: readonly DeliveryRow[];
}

export function WhatHappened({ happenings, now }: {
  readonly happenings: readonly Happening[];
  readonly now: number;
}) {
  const zone = useContext(Zone);
  return (
    <ol class="plain happened" aria-label="What happened">
      {happenings.map(({ at, words, isBad, href, person, note, deliveries = [] }, place) => (
        <li key={place} class={isBad ? "bad" : undefined}>
          <b>
            {href
              ? (
                <a href={href}>
                  <When at={at} now={now} />
                </a>
              )
              : <When at={at} now={now} />}
          </b>{" "}
          {words}
          {person && ` by ${person}`}
          {note && `: ${inZone(note, zone)}`}
          {deliveries.map((delivery, place) => (
            <span key={delivery.id}>
              {place === 0 ? ": " : ", "}
              {delivery.outlet} <DeliveryState delivery={delivery} now={now} />
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** Times in notes of Docket are in UTC; a page has one zone. */
function inZone(note: string, zone: string): string {
  return note.replace(
    /\b\d{4}-\d\d-\d\dT\d\d:\d\dZ/g,
    (moment) => formatMoment(moment.replace("Z", ":00Z"), zone),
  );
}
