import { Head } from "fresh/runtime";
import { Shell } from "../components/shell.tsx";
import { localPath } from "../server/local_path.ts";
import { isTokenText } from "../server/token_text.ts";
import { readFormBody } from "../server/request_body.ts";
import { problemOf } from "../server/problem.ts";
import { handler, page } from "./$sign-in.ts";

interface SignIn {
  /** Where to go afterwards: a path of ours. */
  readonly next: string;
  /** The single-use code of a printed link, or null where a token has to be pasted. */
  readonly code: string | null;
  /** Why the last attempt failed. */
  readonly fault: string | null;
  readonly service: string;
}

export const handlers = handler({
  async GET(ctx) {
    await ctx.state.services.open();
    const next = localPath(ctx.url.searchParams.get("next"));
    const code = ctx.url.searchParams.get("code");
    return answer(ctx.state, { next, code, fault: null });
  },

  async POST(ctx) {
    const { services, requestId, origin } = ctx.state;
    const form = await readFormBody(ctx.req);
    const next = localPath(form.get("next"));
    const code = form.get("code");
    const token = form.get("token")?.trim() ?? "";
    try {
      if (code !== null) {
        if (!services.embeddedToken || !await services.signInCodes.redeem(code)) {
          return answer(ctx.state, { next, code: null, fault: FAULTS.code }, 401);
        }
      } else if (token === "") {
        return answer(ctx.state, { next, code: null, fault: FAULTS.empty }, 400);
      } else if (!isTokenText(token)) {
        return answer(ctx.state, { next, code: null, fault: FAULTS.characters }, 400);
      } else if (token.length > MOST_TOKEN_CHARACTERS) {
        return answer(ctx.state, { next, code: null, fault: FAULTS.length }, 400);
      } else if (!await services.accepts(token, { requestId }, ctx.req.signal)) {
        return answer(ctx.state, { next, code: null, fault: FAULTS.token }, 401);
      }
    } catch (error) {
      const { status, detail } = problemOf(error);
      const fault = `The token could not be checked: ${detail}. Try again in a moment.`;
      return answer(ctx.state, { next, code: null, fault }, status);
    }
    const response = ctx.redirect(next, 303);
    const signedIn = code === null ? token : services.embeddedToken!;
    const session = { token: signedIn, service: services.identity };
    await services.sessions.write(response.headers, session, origin);
    return response;
  },
});

/** A longer token would make a cookie that browsers drop without a word. */
const MOST_TOKEN_CHARACTERS = 2000;

const FAULTS = {
  code: "This link was used already or is older than ten minutes. " +
    "Paste the developer token, or start Docket again for a new link.",
  empty: "Paste a developer token to sign in.",
  characters: "A developer token has only letters, digits and signs, without spaces. " +
    "Check that it was copied whole and alone.",
  length: `A developer token has at most ${MOST_TOKEN_CHARACTERS} characters here.`,
  token: "The service does not accept this token. Check that it was copied whole.",
};

function answer(
  state: { services: { kind: string; settings: { serviceToken: string | null } } },
  signIn: Omit<SignIn, "service">,
  status = 200,
) {
  const { kind, settings } = state.services;
  const service = kind === "upstream"
    ? "The token is the one your service gave you."
    : settings.serviceToken
    ? "The token is the one in the setting SERVICE_TOKEN."
    : "The token of this embedded service is in its data folder, in the file service-token.";
  return {
    data: { ...signIn, service },
    status,
    headers: { "cache-control": "no-store" },
  };
}

export default page(({ data, state }) => (
  <Shell theme={state.preferences.theme}>
    <Head>
      <title>Sign in · Docket</title>
    </Head>
    <form method="post" action="/sign-in" class="card narrow">
      <h1>Sign in</h1>
      {data.fault && <p class="notice bad" role="alert">{data.fault}</p>}
      <input type="hidden" name="next" value={data.next} />
      {data.code === null
        ? (
          <>
            <label for="token">Developer token</label>
            <input
              id="token"
              name="token"
              type="password"
              autocomplete="current-password"
              aria-describedby="token-help"
              required
              autofocus
            />
            <p id="token-help" class="help">
              {data.service}{" "}
              It is sealed into a cookie that only this server can read, and forgotten when you sign
              out.
            </p>
          </>
        )
        : (
          <>
            <p>You followed the link that Docket printed when it started.</p>
            <input type="hidden" name="code" value={data.code} />
          </>
        )}
      <button type="submit">Sign in</button>
    </form>
  </Shell>
));
