import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { handler } from "./$check-all.ts";

export const handlers = handler({
  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { polls } = recordsOf(ctx.state.services);
    const now = Date.now();
    await polls.makeAllDue(now);
    const next = new URL(safeRedirectPath(form.get("next")), ctx.url);
    next.searchParams.set("checked", String(now));
    return ctx.redirect(next.pathname + next.search, 303);
  },
});
