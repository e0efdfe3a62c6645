/** The page Service: what Docket learned of the service, and what its statuses mean. */
import { actorText } from "../../lib/actor.ts";
import { meaningOf, type StatusMeaning, statusWord } from "../../lib/runs/status.ts";
import { describeScan } from "../schedules/coverage.ts";
import { dictionaryFrom } from "../store/records/statuses.ts";
import type { Service } from "../backend/service.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { type PageServices, type PageState, requireRecords } from "./page_request.ts";
import { loadOutage } from "./schedules.ts";

const MAX_SEEN = 200;
const MAX_FAILURES = 5;

interface ServicePageState extends Pick<PageState, "preferences"> {
  readonly services: PageServices & Pick<Service, "searchAnswers">;
}

export async function loadService({ services, preferences: { zone } }: ServicePageState) {
  const records = requireRecords(services);
  const [facts, polled, outage, failures, known, scans, statuses] = await Promise.all([
    records.service.get(),
    records.watches.lastPolled(),
    loadOutage(records),
    records.watches.failures(),
    records.watches.countKnown(),
    records.scans.counted(),
    loadStatusRows(records),
  ]);
  const now = Date.now();
  return {
    /** Whether people can put data of their own into it. */
    takesData: services.store !== null,
    /** Why nothing is watched; null if it is. */
    whyNot: whyNotObserved(services),
    search: services.searchAnswers(),
    known,
    scans: scans.map((scan) => describeScan(scan, zone)),
    polled,
    /** Since when the service can't be read; null if it can. */
    failingSince: outage?.failingSince ?? null,
    /** How many schedules can't be read, and the most frequent causes. */
    unread: failures.reduce((sum, { schedules }) => sum + schedules, 0),
    failures: failures.slice(0, MAX_FAILURES),
    pausedUntil: (facts.pausedUntil ?? 0) > now ? facts.pausedUntil : null,
    statuses,
  };
}

async function loadStatusRows({ statuses }: ObserverRecords) {
  const [stored, seen] = await Promise.all([statuses.get(), statuses.seen(MAX_SEEN)]);
  const { setting, said } = stored;
  const dictionary = dictionaryFrom(stored);
  const otherwise = dictionaryFrom({ setting, said: {} });
  const known = new Set(seen.items.map(({ status }) => statusWord(status)));
  const unseen = [...new Set([...Object.keys(said), ...Object.keys(setting)])]
    .filter((word) => !known.has(word))
    .map((status) => ({ status, runs: 0, schedules: 0 }));
  const all = [...seen.items, ...unseen];
  const rows = all.map((each, at) => {
    const word = statusWord(each.status);
    const one = Object.hasOwn(said, word) ? said[word] : undefined;
    return {
      ...each,
      meaning: meaningOf(word, dictionary),
      // What it means where no person says otherwise.
      otherwise: meaningOf(word, otherwise),
      // What a person said; empty if nobody has.
      chosen: one?.meaning ?? "",
      said: one && { by: actorText(one.by), at: one.at },
      setting: Object.hasOwn(setting, word) ? setting[word] : undefined,
      // The same status in another spelling, which is listed before.
      sameAs: all.slice(0, at).find(({ status }) => statusWord(status) === word)?.status,
    };
  });
  const isUnknown = ({ meaning }: { readonly meaning: StatusMeaning }) =>
    Number(meaning === "unknown");
  return {
    rows: rows.toSorted((a, b) => isUnknown(b) - isUnknown(a)),
    unknown: rows.filter(({ meaning, runs }) => meaning === "unknown" && runs > 0).length,
    /** How many statuses are not listed. */
    left: seen.total - seen.items.length,
  };
}
