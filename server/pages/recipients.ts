/** The recipients of a schedule, from stored runs, without requests to the service. */
import { capitalized } from "../../lib/format.ts";
import { requireScheduleId } from "../http/request_query.ts";
import { confirmFields } from "../schedules/plan_fields.ts";
import { loadScheduleOutage } from "./schedule_rows.ts";
import { type PageState, requireRecords } from "./page_request.ts";
import { loadPeople } from "./people_page.ts";

export async function loadRecipients(
  { state, params, url }: {
    readonly state: PageState;
    readonly params: { readonly scheduleId: string };
    readonly url: URL;
  },
) {
  const scheduleId = requireScheduleId(params);
  const records = requireRecords(state.services);
  const people = await loadPeople(state, url.searchParams, scheduleId);
  const { items } = await records.overview.list({ ids: [scheduleId], among: "known", limit: 1 });
  const known = items.at(0);
  const watch = (await records.watches.known([scheduleId])).get(scheduleId);
  const { name = "", title = "", owner = "" } = watch ?? {};
  return {
    scheduleId,
    name: capitalized(people.schedule!.name),
    reportTitle: known?.reportTitle ?? "",
    headline: known?.details ? known.headline : null,
    plan: known?.details?.plan ?? null,
    planSource: known?.planSource ?? null,
    confirm: watch ? confirmFields(known?.details?.plan, watch, state.preferences.zone) : null,
    settings: { name, title, owner },
    outage: watch ? await loadScheduleOutage(records, watch) : null,
    people: { ...people, isRead: watch !== undefined || state.services.store !== null },
  };
}
