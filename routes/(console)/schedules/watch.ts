import { clickActor, redirectWithNotice, typedText } from "../_actions.ts";
import { requireVisible } from "../../../server/backend/visible_schedules.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readScheduleId } from "../../../server/http/request_query.ts";
import { endWatch } from "../../../server/observer/end_watch.ts";
import { parseScheduleIds } from "../../../server/schedules/schedule_id_list.ts";
import { statusesToStore } from "../../../server/schedules/status_dictionary.ts";
import { takeTurn } from "../../../server/workers/take_turn.ts";
import { watchEvent } from "../../../server/store/observer/watch_events.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { handler } from "./$watch.ts";

/** Longer input is cut when it is shown again, since few proxies pass on longer URLs. */
const MAX_SHOWN_INPUT = 1000;

export const handlers = handler({
  async POST(ctx) {
    const { services, preferences, origin } = ctx.state;
    const form = await readFormBody(ctx.req);
    await takeTurn();
    const listOf = (name: string) => form.getAll(name).join(",");
    for (const name of ["undo", "id", "remove", "add"]) {
      requireVisible(ctx.state.visible, parseScheduleIds(listOf(name)).ids);
    }
    const records = recordsOf(services);
    const now = Date.now();
    const actor = clickActor(ctx.state, ctx.req.headers);
    const by = (scheduleId: number) => ({ scheduleId, actor, now });
    // Its settings come back at once, and its incidents with the next poll.
    const again = parseScheduleIds(listOf("undo")).ids;
    await records.watches.add(again, now, {}, (id) => [watchEvent("watched again", by(id))]);
    const action = form.get("action");
    const chosen = listOf("id");
    const remove = action === "unwatch" ? chosen : listOf("remove");
    for (const id of parseScheduleIds(remove).ids) {
      await takeTurn();
      await endWatch({ records, origin }, by(id));
    }
    for (const id of parseScheduleIds(action ? chosen : "").ids) {
      if (action === "forget") await records.watches.forget(id);
      if (action !== "owner") continue;
      const settings = {
        note: typedText(form, "owner"),
        // A schedule's own page also names it.
        ...(form.has("schedule") && { name: typedText(form, "schedule") }),
      };
      await records.watches.change(id, settings, now, [watchEvent("watch changed", by(id))]);
    }
    await takeTurn();
    const add = action === "watch" ? chosen : listOf("add");
    const { ids, invalid, isCut } = parseScheduleIds(add);
    const statuses = statusesToStore(preferences.statuses);
    await records.watches.add(ids, now, { statuses }, (id) => [watchEvent("watched", by(id))]);
    const next = invalid.length === 0 && !isCut
      ? safeRedirectPath(form.get("next") ?? "/schedules")
      // Invalid parts come first, so that they are not cut off.
      : `/schedules?${new URLSearchParams({
        add: [...invalid, add].join(" ").slice(0, MAX_SHOWN_INPUT),
      })}`;
    const removed = readScheduleId(remove);
    return removed === null
      ? ctx.redirect(next, 303)
      : redirectWithNotice(ctx, next, `unwatched-${removed}`);
  },
});
