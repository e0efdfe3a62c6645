import { Shell } from "../components/page/shell.tsx";
import { forgetPersonName } from "../server/http/cookies.ts";
import { isInMemory } from "../server/config/settings.ts";
import { endSession } from "./_sessions.ts";
import { handler, page } from "./$sign-out.ts";

export const handlers = handler({
  GET: () => ({ data: null }),

  async POST(ctx) {
    const { services: { sessions }, origin } = ctx.state;
    await endSession(ctx, ctx.url.searchParams.has("everywhere"));
    const response = ctx.redirect("/sign-in", 303);
    sessions.clear(response.headers, origin);
    forgetPersonName(response.headers);
    // Clears cached pages. Preferences stay.
    response.headers.set("clear-site-data", '"cache"');
    return response;
  },
});

export default page(({ state }) => (
  <Shell
    title="Sign out"
    theme={state.preferences.theme}
    inMemory={isInMemory(state.services.settings)}
  >
    <form method="post" action="/sign-out" class="card narrow">
      <h1>Sign out</h1>
      <p>This ends your session and removes it from this browser.</p>
      <div class="row">
        <button type="submit">Sign out</button>
        <button type="submit" class="quiet" formaction="/sign-out?everywhere=true">
          Sign out everywhere
        </button>
      </div>
      <p class="help">Everywhere means all sessions of the same token or account.</p>
    </form>
  </Shell>
));
