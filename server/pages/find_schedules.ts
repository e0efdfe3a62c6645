/** The page that scans for schedules: which ids were asked for, and what was found. */
import { describeProgress, describeSearch, idRanges } from "../schedules/coverage.ts";
import { type PageState, recordsOf } from "./page_request.ts";

export async function loadScans(
  { services, preferences: { zone } }: Pick<PageState, "services" | "preferences">,
) {
  const { idSearches, watches } = recordsOf(services);
  const searches = await idSearches.searches();
  const open = searches.find(({ ended, stopped }) => ended === null && stopped === null);
  return {
    scans: await Promise.all(searches.map(async (search) => {
      const { found, vanished } = await idSearches.changes(search);
      return [
        describeSearch(search, zone),
        search.stopped,
        found.length > 0 && `New: ${idRanges(found)}`,
        vanished.length > 0 && `No longer there: ${idRanges(vanished)}`,
      ].filter(Boolean).map((words) => `${words}.`).join(" ");
    })),
    open: open && {
      from: open.from,
      to: open.to,
      done: open.next - open.from,
      progress: describeProgress(open, Date.now()),
    },
    known: await watches.countKnown(),
  };
}
