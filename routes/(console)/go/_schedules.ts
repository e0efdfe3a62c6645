import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { stripDrawing } from "../../../components/runs/charts/strip.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import {
  type Entry,
  type FoundSchedules,
  scheduleEntry,
} from "../../../components/page/go/entries.ts";
import { withoutDirections } from "../../../lib/terminal.ts";
import { silenceText } from "../../../components/runs/incidents/silence.tsx";
import { loadSilences } from "../../../server/pages/silences.ts";
import type { ConsoleState } from "../_middleware.ts";

const MOST = 8;
const MAX_PEOPLE = 4;
/** Shorter texts match too many names. */
const LEAST_OF_PERSON = 2;

export async function findSchedules(
  { services: { records }, preferences: { zone } }: Pick<ConsoleState, "services" | "preferences">,
  text: string,
): Promise<FoundSchedules> {
  if (!records) return { entries: [], people: [], total: 0 };
  const filter = { among: "known", text: text || undefined, limit: MOST, offset: 0 } as const;
  const { items, total } = await records.overview.list(filter);
  const now = Date.now();
  const silences = await loadSilences(records, items, now);
  const entries = items.map(({ scheduleId, name, reportTitle, watched, headline, strip }) => {
    const silent = (silences.get(scheduleId) ?? []).map((each) => silenceText(each, now, zone));
    const state = watched === 1 ? headline : "not watched";
    const note = [reportTitle, state, ...silent].filter(Boolean).join(" · ");
    return {
      ...scheduleEntry(scheduleId, withoutDirections(name), withoutDirections(note)),
      strip: stripDrawing(strip ?? []),
    };
  });
  return { entries, people: await findPeople(records, text), total };
}

/** People and domains that match. Addresses must not be in URLs, so they match nobody. */
async function findPeople(
  { people }: ObserverRecords,
  text: string,
): Promise<readonly Entry[]> {
  if (text.length < LEAST_OF_PERSON || text.includes("@")) return [];
  const filter = { group: "all", text, home: [""], newDomains: [], now: 0 } as const;
  const items = await people.list(filter, { limit: MAX_PEOPLE });
  const domains = (await people.byDomain())
    .filter(({ domain }) => domain?.includes(text.toLowerCase()))
    .slice(0, MAX_PEOPLE);
  return [
    ...items.map(({ id, listed, domain }) => ({
      group: "People" as const,
      name: withoutDirections(recipientName(listed, false)),
      href: `/people/${id}`,
      note: domain ?? undefined,
    })),
    ...domains.map(({ domain, people }) => ({
      group: "People" as const,
      name: `Everybody at ${domain}`,
      href: `/people?${new URLSearchParams({ domain: domain! })}`,
      note: formatCountOf(people, "person", "people"),
    })),
  ];
}
