import {
  addSchedules,
  removeSchedule,
  stopWatching,
  watchSchedules,
} from "../../../server/actions/known_schedules.ts";
import { invalidRequest } from "../../../server/http/problem.ts";
import { readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";
import { openForm, typedText } from "../_actions.ts";
import { handler } from "./$watch.ts";

/** The longest typed list that is shown again to be corrected: few proxies pass on longer URLs. */
const MAX_SHOWN_AGAIN = 1000;

export const handlers = handler({
  async POST(ctx) {
    const { form, services, clicked: acting, next, go } = await openForm(ctx);
    const idsIn = (parameter: string) => {
      const { ids, issue } = readScheduleIds(form.getAll(parameter).join(","));
      if (issue) throw invalidRequest([{ parameter, detail: issue }]);
      return ids;
    };
    const typed = form.get("add") ?? "";
    if (typed.length <= MAX_SHOWN_AGAIN && readScheduleIds(typed).issue !== null) {
      return ctx.redirect(`/schedules?${new URLSearchParams({ add: typed })}`, 303);
    }
    const [chosen, again, removed] = [idsIn("id"), idsIn("undo"), idsIn("remove")];
    const action = form.get("action");
    if (action === "forget") { for (const id of chosen) await removeSchedule(services, id); }
    if (action === "owner") {
      // A schedule's own page also names it.
      const name = form.has("schedule") ? typedText(form, "schedule") : undefined;
      const owner = typedText(form, "owner");
      await addSchedules(services, { scheduleIds: chosen, owner, name }, acting);
    }
    const toWatch = [...again, ...idsIn("add"), ...action === "watch" ? chosen : []];
    if (toWatch.length > 0) await watchSchedules(services, { scheduleIds: toWatch }, acting);
    const ended = [...removed, ...action === "unwatch" ? chosen : []];
    await stopWatching(services, ended, acting);
    return go(next("/schedules"), removed.length === 1 ? `unwatched-${removed[0]}` : undefined);
  },
});
