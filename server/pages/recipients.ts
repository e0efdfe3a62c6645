/** The recipients of a schedule, from stored runs, without requests to the service. */
import { capitalized } from "../../lib/format.ts";
import { requireScheduleId } from "../http/request_query.ts";
import { type PageState, recordsOf } from "./page_request.ts";
import { loadPeople } from "./people_page.ts";
import { scheduleRows } from "./schedule_rows.ts";

export async function loadRecipients(
  { state, params, url }: {
    readonly state: Pick<PageState, "services" | "preferences">;
    readonly params: { readonly scheduleId: string };
    readonly url: URL;
  },
) {
  const scheduleId = requireScheduleId(params);
  const records = recordsOf(state.services);
  const people = await loadPeople(state, url.searchParams, scheduleId);
  const { items } = await records.overview.list({ ids: [scheduleId], among: "known", limit: 1 });
  const now = Date.now();
  const [known] = await scheduleRows(records, items, { now, zone: state.preferences.zone });
  return {
    scheduleId,
    name: capitalized(people.schedule!.name),
    reportTitle: known?.reportTitle ?? "",
    plan: known?.plan && capitalized(known.plan),
    owner: known?.note,
    headline: known?.isRead ? known.headline : null,
    people,
  };
}
