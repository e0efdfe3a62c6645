import { Head } from "fresh/runtime";
import type { Trouble } from "../components/ui/notice.tsx";
import { Shell } from "../components/page/shell.tsx";
import { waitWords } from "../components/page/trouble.ts";
import { safeRedirectPath } from "../server/http/safe_redirect_path.ts";
import { isTokenText } from "../lib/check.ts";
import { isInMemory } from "../server/config/settings.ts";
import { readFormBody } from "../server/http/request_body.ts";
import { isProblemError } from "../server/http/problem.ts";
import type { Services } from "../server/program/services.ts";
import { pageTrouble } from "./_trouble.ts";
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
    const next = safeRedirectPath(ctx.url.searchParams.get("next"));
    const code = ctx.url.searchParams.get("code");
    return answer(ctx.state, { next, code, fault: null });
  },

  async POST(ctx) {
    const { services, requestId, log, client, origin } = ctx.state;
    const form = await readFormBody(ctx.req);
    const next = safeRedirectPath(form.get("next"));
    const code = form.get("code");
    const token = form.get("token")?.trim() ?? "";
    const refuse = (fault: string, status: number, headers?: Readonly<Record<string, string>>) =>
      answer(ctx.state, { next, code: null, fault }, status, headers);
    const unreadable = code === null ? tokenFault(token) : null;
    if (unreadable) return refuse(unreadable, 400);
    let signedIn: string | null;
    try {
      signedIn = await services.signInAttempts.attempt(
        client,
        async () => {
          if (code !== null) return await redeemedToken(code, services);
          return await services.accepts(token, { requestId, log }, ctx.req.signal) ? token : null;
        },
      );
    } catch (error) {
      const { trouble, status, headers } = pageTrouble(error, ctx.req, ctx.state);
      return refuse(
        isProblemError(error) ? trouble.detail : uncheckedWords(trouble),
        status,
        headers,
      );
    }
    if (signedIn === null) return refuse(code === null ? FAULTS.token : FAULTS.code, 401);
    const response = ctx.redirect(next, 303);
    const session = { token: signedIn, service: services.identity };
    await services.sessions.write(response.headers, session, origin);
    return response;
  },
});

/** What keeps a text from being a developer token, without asking the service. */
function tokenFault(token: string): string | null {
  if (token === "") return FAULTS.empty;
  if (!isTokenText(token)) return FAULTS.characters;
  return token.length > MAX_TOKEN_CHARACTERS ? FAULTS.length : null;
}

/** The embedded service's token for a code that its link carried. */
async function redeemedToken(
  code: string,
  { embeddedToken, signInCodes }: Services,
): Promise<string | null> {
  return embeddedToken !== null && await signInCodes.redeem(code) ? embeddedToken : null;
}

/** Why a token was not judged: words of Docket's own, as nobody knows yet who reads them. */
function uncheckedWords({ title, mayPass, retryAfterSeconds = 0 }: Trouble): string {
  const wait = retryAfterSeconds > 0 ? waitWords(retryAfterSeconds) : "a moment";
  return `The token could not be checked. ${title}.${mayPass ? ` Try again in ${wait}.` : ""}`;
}

/** A longer token would make a cookie that browsers drop without a word. */
const MAX_TOKEN_CHARACTERS = 2000;

const FAULTS = {
  code: "This link was used already or is older than ten minutes. " +
    "Paste the developer token, or start Docket again for a new link.",
  empty: "Paste a developer token to sign in.",
  characters: "A developer token has only letters, digits and signs, without spaces. " +
    "Check that it was copied whole and alone.",
  length: `A developer token has at most ${MAX_TOKEN_CHARACTERS} characters here.`,
  token: "The service does not accept this token. Check that it was copied whole.",
};

function answer(
  state: { services: { kind: string; settings: { serviceToken: string | null } } },
  signIn: Omit<SignIn, "service">,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
) {
  const { kind, settings } = state.services;
  const service = kind === "upstream"
    ? "The token is the one your service gave you."
    : settings.serviceToken
    ? "The token is the one in the setting SERVICE_TOKEN."
    : "The token of this embedded service is in its data folder, in the file service-token.";
  return { data: { ...signIn, service }, status, headers };
}

export default page(({ data, state }) => (
  <Shell theme={state.preferences.theme} inMemory={isInMemory(state.services.settings)}>
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
