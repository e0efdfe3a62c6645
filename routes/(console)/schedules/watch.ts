import { clickActor, redirectWithNotice, typedText } from "../_actions.ts";
import { invalidRequest } from "../../../server/http/problem.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { endWatch } from "../../../server/observer/end_watch.ts";
import {
  cutList,
  parseScheduleIds,
  scheduleIdsIssue,
} from "../../../server/schedules/schedule_id_list.ts";
import { takeTurn } from "../../../server/workers/take_turn.ts";
import { watchEvent } from "../../../server/store/records/events.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { handler } from "./$watch.ts";

/** Longer input is cut when it is shown again, since few proxies pass on longer URLs. */
const MAX_SHOWN_INPUT = 1000;

export const handlers = handler({
  async POST(ctx) {
    const { services, origin } = ctx.state;
    const form = await readFormBody(ctx.req);
    await takeTurn();
    const textOf = (name: string) => form.getAll(name).join(",");
    const [again, chosen, typed] = ["undo", "id", "remove"].map((parameter) => {
      const list = parseScheduleIds(textOf(parameter));
      const detail = scheduleIdsIssue(list);
      if (detail) throw invalidRequest([{ parameter, detail }]);
      return list.ids;
    });
    const action = form.get("action");
    const add = textOf(action === "watch" ? "id" : "add");
    const { ids, invalid, isCut } = parseScheduleIds(add);
    const records = recordsOf(services);
    const now = Date.now();
    const actor = clickActor(ctx.state, ctx.req.headers);
    const by = (scheduleId: number) => ({ scheduleId, actor, now });
    // Its settings come back at once, and its incidents with the next poll.
    await records.watches.add(again, now, {}, (id) => [watchEvent("watched again", by(id))]);
    const removed = action === "unwatch" ? chosen : typed;
    for (const id of removed) {
      await takeTurn();
      await endWatch({ records, origin }, by(id));
    }
    for (const id of action ? chosen : []) {
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
    await records.watches.add(ids, now, {}, (id) => [watchEvent("watched", by(id))]);
    const next = invalid.length === 0 && !isCut
      ? safeRedirectPath(form.get("next") ?? "/schedules")
      // Invalid parts come first, so that they are not cut off.
      : `/schedules?${new URLSearchParams({
        add: cutList([...invalid, add].join(" "), MAX_SHOWN_INPUT),
      })}`;
    return removed.length === 1
      ? redirectWithNotice(ctx, next, `unwatched-${removed[0]}`)
      : ctx.redirect(next, 303);
  },
});
