/** Which domains people have, and which are the organization's own. */
import { DAY } from "../../lib/time_units.ts";
import { PRIVATE_HOSTS } from "../../lib/runs/outsiders.ts";
import type { Settings } from "../config/settings.ts";
import type { PeopleOfDomain } from "../store/people/people_list.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** Domains that nobody had until then are new. */
const NEW_MS = 30 * DAY;

/**
 * The domains of people: all, those that are new, and the organization's own, which are those in the
 * setting, or else the one that receives most reports.
 */
export async function domainsNow(
  records: Pick<ObserverRecords, "people" | "service">,
  settings: Pick<Settings, "homeDomains">,
  now: number,
) {
  const domains = await records.people.byDomain();
  return {
    home: await insideDomains(records, settings) ?? mainDomain(domains),
    isSet: settings.homeDomains.length > 0,
    domains,
    newDomains: domains.flatMap(({ domain, first }) => first >= now - NEW_MS && domain || []),
    now,
  };
}

/** The organization's own domains, which schedules are judged with; undefined until they are known. */
export async function insideDomains(
  records: Pick<ObserverRecords, "service"> | null,
  { homeDomains }: Pick<Settings, "homeDomains">,
): Promise<readonly string[] | undefined> {
  if (homeDomains.length > 0) return homeDomains;
  return (await records?.service.get())?.inside ?? undefined;
}

/** A domain stays the organization's own until another one receives so many times its reports. */
const TAKES_OVER = 1.25;

/**
 * Stores the organization's own domains, once all histories that can be are read, and has all
 * schedules judged again if they are others. Where two domains receive about as many reports, people
 * must not become outsiders in turn.
 */
export async function updateInside(
  records: Pick<ObserverRecords, "people" | "service" | "incidents">,
  { homeDomains }: Pick<Settings, "homeDomains">,
  now: number,
): Promise<void> {
  const { service } = records;
  const { inside: before } = await service.get();
  const found = homeDomains.length > 0 ? homeDomains : await findInside(records, before);
  if (found !== null && found.join() !== before?.join()) await service.storeInside(found, now);
}

async function findInside(
  { people, incidents }: Pick<ObserverRecords, "people" | "incidents">,
  before: readonly string[] | null,
) {
  // In an outage, some histories may never have been read.
  if ((await incidents.open(null)).some(({ code }) => code === "unreadable")) return null;
  const { unread, uncounted } = await people.countUnread();
  if (unread + uncounted > 0) return null;
  const domains = await people.byDomain();
  const [main] = mainDomain(domains);
  const receiptsAt = (name: string) => domains.find(({ domain }) => domain === name)?.receipts ?? 0;
  const stays = before?.length === 1 && receiptsAt(main) < TAKES_OVER * receiptsAt(before[0]);
  return main === undefined || stays ? null : [main];
}

/** The domain that receives most reports, if any; but none where anybody can have an address. */
function mainDomain(domains: readonly PeopleOfDomain[]): readonly string[] {
  return domains.filter(({ domain }) => domain !== null && !PRIVATE_HOSTS.test(domain))
    .toSorted((a, b) => b.receipts - a.receipts).flatMap(({ domain }) => domain ?? []).slice(0, 1);
}
