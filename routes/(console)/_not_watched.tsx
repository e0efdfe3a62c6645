import type { ComponentChildren } from "preact";
import { whyNotObserved } from "../../server/observer/service_observer.ts";
import type { Services } from "../../server/program/services.ts";

/** Says why a page has no records to show, and with `children` what there is instead. */
export function NotWatched({ services, children }: {
  readonly services: Services;
  readonly children?: ComponentChildren;
}) {
  const why = whyNotObserved(services);
  if (why === null) return null;
  return why === services.noRecords
    ? <p class="notice warning" role="status">{why}. {children}</p>
    : <p class="notice bad" role="alert">Nothing is watched. {why}. {children}</p>;
}
