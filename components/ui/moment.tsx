import { useContext } from "preact/hooks";
import { formatMoment, Zone, zoneWords } from "./zone.ts";

/** A moment in the reader's zone, exact for machines and on hover. The zone stands in the heading. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  const zone = useContext(Zone);
  if (!at) return <Missing />;
  return <time dateTime={at} title={at}>{formatMoment(at, zone)}</time>;
}

/** A moment that stands alone, and so says its zone itself. */
export function LoneMoment({ at }: { readonly at: string | null | undefined }) {
  return (
    <>
      <Moment at={at} /> {at && <ZoneName />}
    </>
  );
}

/** The zone that times are shown in, for the headings above them. */
export function ZoneName() {
  return <span class="zone">{zoneWords(useContext(Zone))}</span>;
}

/** Stands where there is no value. */
export function Missing() {
  return (
    <span class="missing">
      <span aria-hidden="true">–</span>
      <span class="unseen">none</span>
    </span>
  );
}
