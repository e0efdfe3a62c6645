import { useContext } from "preact/hooks";
import { formatMoment, formatZone, Zone } from "./zone.ts";

/** A time in the reader's zone; exact on hover. The heading above it names the zone. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  const zone = useContext(Zone);
  if (!at) return <Missing />;
  return <time dateTime={at} title={at}>{formatMoment(at, zone)}</time>;
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
export function Missing() {
  return (
    <span class="missing">
      <span aria-hidden="true">–</span>
      <span class="unseen">none</span>
    </span>
  );
}
