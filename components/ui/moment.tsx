import { useContext } from "preact/hooks";
import { formatMoment, formatZone, Zone } from "./zone.ts";

/** A time in the reader's zone; exact on hover. The heading above it names the zone. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  return timeOf(at, useContext(Zone));
}

/** The same for the cells of long tables, where a component for each would be slow. */
export function timeOf(at: string | null | undefined, zone: string) {
  if (!at) return MISSING;
  const exact = at.replace(".000Z", "Z");
  return <time dateTime={exact} title={exact}>{formatMoment(at, zone)}</time>;
}

/** A time without a heading, which names the zone itself. */
export function LoneMoment({ at }: { readonly at: string | null | undefined }) {
  return (
    <>
      <Moment at={at} /> {at && <ZoneName />}
    </>
  );
}

/** The zone that times are shown in. */
export function ZoneName() {
  return <span class="zone">{formatZone(useContext(Zone))}</span>;
}

/** Shown in place of a missing value. */
export const MISSING = (
  <span class="missing">
    <span aria-hidden="true">–</span>
    <span class="unseen">none</span>
  </span>
);

/** The same as a component. */
export function Missing() {
  return MISSING;
}
