/** What people said of a schedule's runs, and what is known of its recipients and earlier runs. */
import { DAY } from "../../lib/time_units.ts";
import { PRIVATE_HOSTS } from "../../lib/runs/outsiders.ts";
import type { Settings } from "../config/settings.ts";
import type { PeopleOfDomain } from "../store/people/people_list.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { JudgeOptions } from "../../lib/judgement/judge_schedule.ts";
import { EARLIEST } from "../../lib/runs/occurrences.ts";
import type { Recipient } from "../../lib/types.ts";

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
async function insideDomains(
  records: Pick<ObserverRecords, "service"> | null,
  { homeDomains }: Pick<Settings, "homeDomains">,
): Promise<readonly string[] | undefined> {
  if (homeDomains.length > 0) return homeDomains;
  return (await records?.service.get())?.inside ?? undefined;
}

/** A domain stays the organization's own until another one receives a quarter more reports. */
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

export type RecipientFacts = Pick<JudgeOptions, "before" | "decisions" | "inside" | "leavers">;

/**
 * @param starts When the runs that are judged started, in any order.
 * @param sentTo Who received the newest good run, if that is not stored yet.
 */
export async function recipientFacts(
  records: ObserverRecords | null,
  settings: Pick<Settings, "homeDomains">,
  { scheduleId, starts, sentTo = [], now }: {
    readonly scheduleId: number;
    readonly starts: readonly (number | null | undefined)[];
    readonly sentTo?: readonly Recipient[];
    readonly now: number;
  },
): Promise<RecipientFacts> {
  if (!records) return { inside: await insideDomains(null, settings) };
  await records.receipts.countIfMarked(scheduleId);
  const left = [
    ...(await records.people.leaversOf(scheduleId)).map(({ userId, listed, leftAt }) => ({
      recipient: { ...listed, userId },
      left: leftAt!,
    })),
    ...(await records.leavers.among(sentTo)).map(({ userId, address, leftAt }) => ({
      recipient: { userId, emailAddress: address },
      left: leftAt,
    })),
  ];
  const levels = await records.incidents.expectedLevels(scheduleId);
  return {
    decisions: [
      ...await records.recipientDecisions.expectedOn(scheduleId, now),
      ...levels.map((run) => ({ kind: "level" as const, run, expected: true, until: null })),
    ],
    leavers: left,
    inside: await insideDomains(records, settings),
    ...await earlierRuns(records, scheduleId, starts),
  };
}

/** What is known of the runs before those that are judged; nothing if there are none. */
async function earlierRuns(
  { runs, people }: ObserverRecords,
  scheduleId: number,
  starts: readonly (number | null | undefined)[],
): Promise<Pick<JudgeOptions, "before">> {
  const known = starts.filter((start) => typeof start === "number" && start >= EARLIEST);
  const oldest = known.reduce<number>((least, start) => Math.min(least, start!), Infinity);
  const firstStart = await runs.firstStart(scheduleId, EARLIEST);
  if (oldest === Infinity || firstStart === null || firstStart >= oldest) return {};
  const recipients = await people.receivedBefore(scheduleId, oldest);
  return { before: { firstStart, recipients } };
}
