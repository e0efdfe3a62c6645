import { Field } from "../components/ui/form.tsx";
import { writePersonName } from "../server/http/cookies.ts";
import { MAX_CHARACTERS } from "../server/store/text.ts";
import { Shell } from "../components/page/shell.tsx";
import { formatWait } from "../components/page/error_message.ts";
import { safeRedirectPath } from "../server/http/paths.ts";
import { isInMemory } from "../server/config/settings.ts";
import { readFormBody } from "../server/http/request_body.ts";
import { isProblemError } from "../server/http/problem.ts";
import type { Services } from "../server/program/services.ts";
import { pageError } from "./_errors.ts";
import { RememberZone } from "../islands/RememberZone.tsx";
import { endSession, finishSignIn, startSignIn, tokenIssue } from "./_sessions.ts";
import { handler, page } from "./$sign-in.ts";

interface SignIn {
  /** Where to go afterwards: a path within Docket. */
  readonly next: string;
  /** The single-use code of a printed link, or null to ask for a token. */
  readonly code: string | null;
  readonly error: string | null;
  /** Whether a form was sent after the session had ended. */
  readonly isUnsent: boolean;
}

export const handlers = handler({
  async GET(ctx) {
    const { services } = ctx.state;
    await services.open();
    const { searchParams } = ctx.url;
    const next = safeRedirectPath(searchParams.get("next"));
    const shown = { next, isUnsent: searchParams.has("unsent"), error: null };
    if (services.oidc && (searchParams.has("state") || searchParams.has("oidc"))) {
      try {
        return searchParams.has("state")
          ? await finishSignIn(ctx, services.oidc)
          : await startSignIn(ctx, services.oidc, next);
      } catch (thrown) {
        const { error, status, headers } = pageError(thrown, ctx);
        const detail = isProblemError(thrown) ? `${thrown.problem.detail}.` : error.title;
        return { data: { ...shown, code: null, error: detail }, status, headers };
      }
    }
    return { data: { ...shown, code: searchParams.get("code") } };
  },

  async POST(ctx) {
    const { services, requestId, client, origin } = ctx.state;
    const form = await readFormBody(ctx.req);
    const next = safeRedirectPath(form.get("next"));
    const code = form.get("code");
    const token = form.get("token")?.trim() ?? "";
    const fail = (error: string, status: number, headers?: Readonly<Record<string, string>>) => ({
      data: { next, code: null, error, isUnsent: false },
      status,
      headers,
    });
    const inputError = code === null ? tokenIssue(token) : null;
    if (inputError) return fail(inputError, 400);
    let signedIn: string | null;
    try {
      signedIn = await services.signInAttempts.attempt(
        client,
        async () => {
          // The embedded service's token is what the code of a link stands for.
          if (code !== null) {
            return services.signInCodes.redeem(code) ? services.embeddedToken : null;
          }
          const { signal } = ctx.req;
          return await services.findHolder(token, { requestId }, { signal }) && token;
        },
      );
    } catch (thrown) {
      const { error, status, headers } = pageError(thrown, ctx);
      const message = isProblemError(thrown) ? error.detail : uncheckedMessage(error);
      return fail(message, status, headers);
    }
    if (signedIn === null) return fail(code === null ? ERRORS.token : ERRORS.code, 401);
    const response = ctx.redirect(next, 303);
    const session = { token: signedIn, service: services.identity };
    // A late answer to a request before could bring its cookie back.
    await endSession(ctx);
    await services.sessions.write(response.headers, session, origin);
    const name = form.get("name")?.trim().slice(0, MAX_CHARACTERS.name);
    if (name) writePersonName(response.headers, name, origin.startsWith("https:"));
    return response;
  },
});

type PageError = ReturnType<typeof pageError>["error"];

/** Why a token could not be checked. The service's texts are not shown before signing in. */
function uncheckedMessage({ title, mayRetry, retryAfterSeconds }: PageError): string {
  const again = mayRetry ? ` Try again in ${formatWait(retryAfterSeconds)}.` : "";
  return `The token could not be checked. ${title}.${again}`;
}

const ERRORS = {
  code: "This link was already used or is older than ten minutes. " +
    "Paste the developer token, or restart Docket for a new link.",
  token: "This token is not accepted. Check that you copied all of it.",
};

function tokenHelp({ store, settings: { serviceToken, oidc } }: Services): string {
  if (oidc) return "A Docket token, or a token of the service, which shows no records of Docket.";
  return store === null
    ? "Use a Docket token, or the token that your service gave you."
    : serviceToken
    ? "Use the token in the setting SERVICE_TOKEN."
    : "Use the token in the file service-token in Docket's data folder.";
}

const TOKEN_STORED =
  "It is stored encrypted in a cookie that only this server can read, and deleted when you sign out.";

export default page(({ data, state }) => (
  <Shell
    title="Sign in"
    theme={state.preferences.theme}
    inMemory={isInMemory(state.services.settings)}
  >
    <div class="card narrow">
      <RememberZone />
      <h1>Sign in</h1>
      {data.error && <p id="sign-in-error" class="notice bad" role="alert">{data.error}</p>}
      {data.isUnsent && (
        <p class="notice warning">
          You were signed out before you sent that form, so nothing was done.
        </p>
      )}
      {data.code === null && state.services.oidc
        ? (
          <>
            <a
              class="button main"
              href={`/sign-in?${new URLSearchParams({ oidc: "", next: data.next })}`}
            >
              Sign in with {state.services.oidc.host}
            </a>
            <details>
              <summary>Use a developer token</summary>
              <TokenForm data={data} services={state.services} />
            </details>
          </>
        )
        : <TokenForm data={data} services={state.services} hasFocus />}
    </div>
  </Shell>
));

function TokenForm({ data: { next, code, error }, services, hasFocus }: {
  readonly data: SignIn;
  readonly services: Services;
  readonly hasFocus?: boolean;
}) {
  return (
    <form method="post" action="/sign-in">
      <input type="hidden" name="next" value={next} />
      {code === null
        ? (
          <Field
            name="token"
            label="Developer token"
            help={`${tokenHelp(services)} ${TOKEN_STORED}`}
            type="password"
            autocomplete="current-password"
            required
            autofocus={hasFocus}
            aria-invalid={error !== null}
            aria-describedby={error === null ? "token-help" : "sign-in-error token-help"}
          />
        )
        : (
          <>
            <p>The link that Docket prints at startup signs you in.</p>
            <input type="hidden" name="code" value={code} />
          </>
        )}
      <Field
        name="name"
        label="Your name (optional)"
        help="Recorded with what you do, such as an acknowledgement."
        autocomplete="name"
        maxLength={MAX_CHARACTERS.name}
      />
      <button type="submit" class="main">Sign in</button>
    </form>
  );
}
