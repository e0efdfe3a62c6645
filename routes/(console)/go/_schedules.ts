/** The watched schedules that can be found by name. */
import { type FoundSchedules, scheduleEntry } from "../../../components/page/go/entries.ts";
import { withoutDirections } from "../../../lib/terminal.ts";
import type { Services } from "../../../server/program/services.ts";

/** How many are offered at once: nobody would read more. */
const MOST = 8;

/** Watched schedules whose name, owner or id matches, most severe first. */
export async function findSchedules(
  { services: { records } }: { readonly services: Services },
  text: string,
): Promise<FoundSchedules> {
  if (!records) return { entries: [], total: 0 };
  const filter = { text: text || undefined, limit: MOST, offset: 0 };
  const { items, total } = await records.overview.list(filter);
  const entries = items.map(({ scheduleId, name, reportTitle, headline }) =>
    scheduleEntry(
      scheduleId,
      withoutDirections(name),
      withoutDirections([reportTitle, headline].filter(Boolean).join(" · ")),
    )
  );
  return { entries, total };
}
