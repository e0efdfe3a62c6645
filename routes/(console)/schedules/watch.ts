import { updateWatchList } from "../../../server/schedules/watch_list.ts";
import { safeRedirectPath } from "../../../server/http/safe_redirect_path.ts";
import { writePreferences } from "../../../server/schedules/preferences.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { handler } from "./$watch.ts";

/** Puts schedules on the watch list, or takes them off it. */
export const handlers = handler({
  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { preferences, origin } = ctx.state;
    const watch = updateWatchList(preferences.watch, {
      add: form.getAll("add").join(","),
      remove: form.getAll("remove").join(","),
    });
    const response = ctx.redirect(safeRedirectPath(form.get("next") ?? "/schedules"), 303);
    writePreferences(response.headers, { ...preferences, watch }, origin.startsWith("https:"));
    return response;
  },
});
