/** Which domains people have, and which are the organization's own. */
import { DAY } from "../../lib/time_units.ts";
import type { Settings } from "../config/settings.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** Domains that nobody had until then are new. */
const NEW_MS = 30 * DAY;

/**
 * The domains of people: all, those that are new, and the organization's own, which are those in the
 * setting, or else the most frequent one.
 */
export async function domainsNow(
  { people }: Pick<ObserverRecords, "people">,
  { homeDomains }: Pick<Settings, "homeDomains">,
  now: number,
) {
  const domains = await people.byDomain();
  // People without an address have no domain.
  const mostFrequent = domains.find(({ domain }) => domain !== null);
  const isSet = homeDomains.length > 0;
  return {
    home: isSet ? homeDomains : [mostFrequent?.domain ?? ""],
    isSet,
    domains,
    newDomains: domains.flatMap(({ domain, first }) => first >= now - NEW_MS && domain || []),
    now,
  };
}
