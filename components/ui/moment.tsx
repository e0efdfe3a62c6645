import { useContext } from "preact/hooks";
import { timeText } from "../../lib/format.ts";
import { formatMoment, formatZone, Zone } from "./zone.ts";

/** A date-time, or milliseconds since 1970. */
type Time = string | number | null | undefined;

/** A time in the reader's zone; exact on hover. The heading above it names the zone. */
export function Moment({ at }: { readonly at: Time }) {
  return timeElement(at, useContext(Zone));
}

/** The same for the cells of long tables, where a component for each would be slow. */
export function timeElement(at: Time, zone: string) {
  if (!at) return MISSING;
  const exact = typeof at === "string" ? at.replace(".000Z", "Z") : timeText(at);
  return <time dateTime={exact} title={exact}>{formatMoment(at, zone)}</time>;
}

/** A time without a heading, which names the zone itself. */
export function LoneMoment({ at }: { readonly at: Time }) {
  return (
    <>
      <Moment at={at} /> {at ? <ZoneName /> : null}
    </>
  );
}

export function ZoneName() {
  return <span class="zone">{formatZone(useContext(Zone))}</span>;
}

export const MISSING = (
  <span class="missing">
    <span aria-hidden="true">–</span>
    <span class="unseen">none</span>
  </span>
);
