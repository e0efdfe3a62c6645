/** Signing in with a token or by OpenID Connect, and the ends of sessions. */
import { isTokenText } from "../lib/check.ts";
import { ATTEMPT_MS, type Oidc, type OidcAttempt } from "../server/auth/oidc.ts";
import { ProblemError } from "../server/http/problem.ts";
import { failureReason } from "../server/log/log_problem.ts";
import type { RequestState } from "./_middleware.ts";

interface SignInContext {
  readonly req: Request;
  readonly url: URL;
  readonly state: RequestState;
}

/** Browsers silently drop the cookie of a longer token. */
const MAX_TOKEN_CHARACTERS = 2000;

/** Why a text can't be a developer token, whatever the service says. */
export function tokenIssue(token: string): string | null {
  if (token === "") return "Paste a developer token to sign in.";
  if (token.length > MAX_TOKEN_CHARACTERS) {
    return `A developer token can have at most ${MAX_TOKEN_CHARACTERS} characters.`;
  }
  return isTokenText(token) ? null : "A developer token has only letters, digits and symbols, " +
    "and no spaces. Check that you copied all of it and nothing else.";
}

function redirectUri({ state: { origin } }: SignInContext): string {
  return `${origin}/sign-in`;
}

/** Redirects to the provider, with the attempt in a sealed cookie. */
export async function startSignIn(ctx: SignInContext, oidc: Oidc, next: string): Promise<Response> {
  const { services: { cookies, signInAttempts }, client, origin } = ctx.state;
  const started = await signInAttempts.attempt(client, () => oidc.begin(redirectUri(ctx), next));
  const { url, attempt } = started!;
  const response = new Response(null, { status: 303, headers: { location: url } });
  await cookies.put(response.headers, "oidc", attempt, { origin, maxAge: ATTEMPT_MS / 1000 });
  return response;
}

/** Signs in a person whom the provider sent back, if the settings give them a role. */
export async function finishSignIn(ctx: SignInContext, oidc: Oidc): Promise<Response> {
  const { services: { cookies, sessions, signInAttempts, identity }, client, origin } = ctx.state;
  const attempt = await cookies.read(ctx.req.headers, "oidc", origin) as OidcAttempt | undefined;
  if (attempt && !await sessions.useOnce(attempt.state)) throw new ProblemError(400, USED);
  const url = new URL(redirectUri(ctx) + ctx.url.search);
  const person = await signInAttempts.attempt(
    client,
    () => oidc.finish(url, attempt, redirectUri(ctx)),
  );
  const response = new Response(null, { status: 303, headers: { location: attempt!.next } });
  await endSession(ctx);
  await sessions.write(
    response.headers,
    { token: null, oidc: person!, service: identity },
    origin,
  );
  cookies.remove(response.headers, "oidc", origin);
  return response;
}

const USED = "This sign-in attempt was already used. Please sign in again";

/** Ends the session of a browser, whose cookie goes in any case; or all with the same token. */
export async function endSession(
  { req, state: { services: { sessions }, origin, log } }: {
    readonly req: Request;
    readonly state: RequestState;
  },
  isEverywhere = false,
): Promise<void> {
  try {
    await sessions.end(req.headers, origin, isEverywhere);
  } catch (error) {
    log.error("The end of a session could not be stored, so it applies to this process only", {
      reason: failureReason(error),
    });
  }
}
