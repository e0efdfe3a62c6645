import { redirectWithNotice } from "../_notices.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { parseScheduleIds } from "../../../server/schedules/watch_list.ts";
import { knownPerson } from "../_person.ts";
import { saveWatch } from "../_watches.ts";
import { handler } from "./$watch.ts";

/** Longer input is cut when it is shown again. */
const MAX_SHOWN_INPUT = 200;

export const handlers = handler({
  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const add = form.getAll("add").join(",");
    const remove = form.getAll("remove").join(",");
    const removed = readScheduleId(remove);
    const headers = new Headers();
    const { ids, invalid, dropped } = parseScheduleIds(add);
    const { ids: undo } = parseScheduleIds(form.getAll("undo").join(","));
    const person = knownPerson(ctx.req.headers);
    const isWhole = await saveWatch(ctx.state, headers, { person, add: ids, remove, undo });
    const isComplete = invalid.length === 0 && dropped === 0 && isWhole;
    const back = safeRedirectPath(form.get("next") ?? "/schedules");
    const next = isComplete
      ? back
      : `/schedules?${new URLSearchParams({ add: add.slice(0, MAX_SHOWN_INPUT) })}`;
    const response = removed === null
      ? ctx.redirect(next, 303)
      : redirectWithNotice(ctx, next, `unwatched-${removed}`);
    for (const cookie of headers.getSetCookie()) response.headers.append("set-cookie", cookie);
    return response;
  },
});
