import { actionServices } from "../../../server/actions/action_services.ts";
import { checkNow } from "../../../server/actions/known_schedules.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { clickActor } from "../_actions.ts";
import { handler } from "./$check-all.ts";

export const handlers = handler({
  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const acting = { actor: clickActor(ctx.state, ctx.req.headers), now: Date.now() };
    await checkNow(actionServices(ctx.state), "watched", acting);
    const next = new URL(safeRedirectPath(form.get("next")), ctx.url);
    next.searchParams.set("checked", String(acting.now));
    return ctx.redirect(next.pathname + next.search, 303);
  },
});
