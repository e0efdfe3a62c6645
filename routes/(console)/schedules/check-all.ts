import { checkNow } from "../../../server/actions/known_schedules.ts";
import { openForm } from "../_actions.ts";
import { handler } from "./$check-all.ts";

export const handlers = handler({
  async POST(ctx) {
    const { services, clicked, next, go } = await openForm(ctx);
    await checkNow(services, "watched", clicked);
    const to = new URL(next("/"), ctx.url);
    to.searchParams.set("checked", String(clicked.now));
    return go(to.pathname + to.search);
  },
});
