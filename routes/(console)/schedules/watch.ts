import { addSchedules, checkNow, watchSchedules } from "../../../server/actions/known_schedules.ts";
import { silenceSchedule } from "../../../server/actions/silence_schedule.ts";
import { invalidRequest } from "../../../server/http/problem.ts";
import { stopWatching } from "../../../server/observer/end_watch.ts";
import { MAX_SCHEDULES, readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";
import { noSuchAction, openForm } from "../_actions.ts";
import { handler } from "./$watch.ts";

/** The longest typed list that is shown again to be corrected: few proxies pass on longer URLs. */
const MAX_SHOWN_AGAIN = 1000;

/** What needs at least one schedule. */
const OF_CHOSEN: ReadonlySet<string | null> = new Set(["watch", "unwatch", "forget", "owner"]);

/** What the buttons of schedules do, with those whose ids were chosen or typed. */
export const handlers = handler({
  async POST(ctx) {
    const { form, services, clicked, next, go } = await openForm(ctx);
    const action = form.get("action");
    // What stands in a form of several rows says which one in the address.
    const typed = [...ctx.url.searchParams.getAll("id"), ...form.getAll("id")].join(",");
    const { ids: scheduleIds, issue } = readScheduleIds(typed);
    if (issue && action === "watch" && typed.length <= MAX_SHOWN_AGAIN) {
      return ctx.redirect(`/schedules?${new URLSearchParams({ add: typed })}`, 303);
    }
    if (issue) throw invalidRequest([{ parameter: "id", detail: issue }]);
    const to = next("/schedules");
    if (scheduleIds.length === 0 && OF_CHOSEN.has(action)) return go(to, "none-chosen");
    switch (action) {
      case "watch":
        await watchSchedules(services, { scheduleIds }, clicked);
        return go(to, "watch");
      case "watch-all": {
        const found = await services.records.watches.unwatchedIds(MAX_SCHEDULES);
        if (found.length > 0) await watchSchedules(services, { scheduleIds: found }, clicked);
        return go("/schedules", "watch");
      }
      case "unwatch":
        await stopWatching(services, scheduleIds, clicked);
        return go(to, scheduleIds.length === 1 ? `unwatch:${scheduleIds[0]}` : "unwatch");
      case "forget":
        // Of those selected, the watched ones stay.
        await services.records.watches.forget(scheduleIds);
        return go(to, "removed-schedules");
      case "owner": {
        // A schedule's own page also names it.
        const name = form.get("schedule") ?? undefined;
        const owner = form.get("owner") ?? "";
        await addSchedules(services, { scheduleIds, owner, name }, clicked);
        return go(to, "saved-settings");
      }
      case "unmute":
      case "resume": {
        const kind = action === "unmute" ? "unmute-schedule" : "resume-plan";
        for (const scheduleId of scheduleIds) {
          await silenceSchedule(services, { scheduleId, kind }, clicked);
        }
        return go(to, kind);
      }
      case "check":
        await checkNow(services, scheduleIds, clicked);
        return go(to, "check");
      case "check-all":
        await checkNow(services, "watched", clicked);
        return go(to, "check-all");
      default:
        throw noSuchAction();
    }
  },
});
