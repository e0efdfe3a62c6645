/** The watched schedules that can be found by name. */
import { type FoundSchedules, scheduleEntry } from "../../../components/page/go/entries.ts";
import { withoutDirections } from "../../../lib/terminal.ts";
import { silenceText } from "../../../components/runs/incidents/silence.tsx";
import type { Services } from "../../../server/program/services.ts";
import { loadSilences } from "../_silences.ts";

/** How many are offered at once: nobody would read more. */
const MOST = 8;

/** Watched schedules whose name, owner or id matches, most severe first. */
export async function findSchedules(
  { services: { records }, preferences: { zone } }: {
    readonly services: Services;
    readonly preferences: { readonly zone: string };
  },
  text: string,
): Promise<FoundSchedules> {
  if (!records) return { entries: [], total: 0 };
  const filter = { text: text || undefined, limit: MOST, offset: 0 };
  const { items, total } = await records.overview.list(filter);
  const now = Date.now();
  const silences = await loadSilences(records, items, now);
  const entries = items.map(({ scheduleId, name, reportTitle, headline }) => {
    const silent = (silences.get(scheduleId) ?? []).map((each) => silenceText(each, now, zone));
    const note = [reportTitle, headline, ...silent].filter(Boolean).join(" · ");
    return scheduleEntry(scheduleId, withoutDirections(name), withoutDirections(note));
  });
  return { entries, total };
}
