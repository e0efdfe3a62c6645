import { Head } from "fresh/runtime";
import { Shell } from "../components/page/shell.tsx";
import { isInMemory } from "../server/config/settings.ts";
import { handler, page } from "./$sign-out.ts";

export const handlers = handler({
  GET: () => ({ data: null }),

  POST(ctx) {
    const response = ctx.redirect("/sign-in", 303);
    ctx.state.services.sessions.clear(response.headers, ctx.state.origin);
    return response;
  },
});

export default page(({ state }) => (
  <Shell theme={state.preferences.theme} inMemory={isInMemory(state.services.settings)}>
    <Head>
      <title>Sign out · Docket</title>
    </Head>
    <form method="post" action="/sign-out" class="card narrow">
      <h1>Sign out</h1>
      <p>The developer token is forgotten in this browser.</p>
      <button type="submit">Sign out</button>
    </form>
  </Shell>
));
