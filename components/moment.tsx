import { formatMoment } from "./format.ts";

/** A moment as people read it, exact for machines and on hover. The page says that it is UTC. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <Missing />;
  return <time dateTime={at} title={at}>{formatMoment(at)}</time>;
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
