/** Signing in by OpenID Connect: the authorization code flow with PKCE, a state and a nonce. */
import * as oauth from "oauth4webapi";
import type { OidcSettings } from "../config/oidc_settings.ts";
import { SettingsError } from "../config/settings.ts";
import { isLoopback } from "../http/host.ts";
import { ProblemError } from "../http/problem.ts";
import { type OidcPerson, readIdentity } from "./identity.ts";

/** Stored in a sealed cookie until the browser comes back from the provider. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
  readonly startedAt: number;
}

/** How long a person may take at the provider. */
export const ATTEMPT_MS = 10 * 60 * 1000;
const DEADLINE_MS = 10_000;
/** How far the provider's clock and this one may differ. */
const CLOCK_SECONDS = 60;
const MAX_ISSUER = 200;

export type Oidc = ReturnType<typeof openOidc>;

/**
 * Nothing is cached between attempts, so keys that the provider replaced are never used.
 *
 * @throws {SettingsError} If the client's secret can't be read from its file
 */
export function openOidc(
  settings: OidcSettings,
  { now = Date.now, deadlineMs = DEADLINE_MS }: {
    readonly now?: () => number;
    readonly deadlineMs?: number;
  } = {},
) {
  const clientSecret = readSecret(settings.clientSecret);
  const issuer = new URL(settings.issuer);
  const client: oauth.Client = {
    client_id: settings.clientId,
    [oauth.clockSkew]: Math.round((now() - Date.now()) / 1000),
    [oauth.clockTolerance]: CLOCK_SECONDS,
  };

  /** Calls the provider; every failure becomes a problem with a sentence for the person. */
  async function callProvider<T>(
    call: (
      provider: oauth.AuthorizationServer,
      options: { signal: AbortSignal; [oauth.allowInsecureRequests]: boolean },
    ) => Promise<T>,
  ): Promise<T> {
    const options = {
      signal: AbortSignal.timeout(deadlineMs),
      // The settings allow plain HTTP on this machine only.
      [oauth.allowInsecureRequests]: isLoopback(issuer.hostname),
    };
    try {
      const found = await oauth.discoveryRequest(issuer, options);
      return await call(await oauth.processDiscoveryResponse(issuer, found), options);
    } catch (error) {
      const { response, cause } = error as { response?: unknown; cause?: unknown };
      // An unread body would keep its connection open.
      for (const each of [response, cause]) {
        if (each instanceof Response && !each.bodyUsed) void each.body?.cancel();
      }
      throw problemOfProvider(error, deadlineMs);
    }
  }

  return {
    host: issuer.host,

    /** Starts an attempt: the provider's URL for the browser, and what to store in its cookie. */
    begin: (redirectUri: string, next: string) =>
      callProvider(async (provider) => {
        const attempt: OidcAttempt = {
          state: oauth.generateRandomState(),
          nonce: oauth.generateRandomNonce(),
          verifier: oauth.generateRandomCodeVerifier(),
          next,
          startedAt: now(),
        };
        const { authorization_endpoint, scopes_supported = [] } = provider;
        if (!authorization_endpoint) throw new Error("no authorization_endpoint");
        const url = new URL(authorization_endpoint);
        const scopes = ["openid", "profile", "email"];
        if (scopes_supported.includes(settings.groupsClaim)) scopes.push(settings.groupsClaim);
        const parameters = {
          client_id: settings.clientId,
          redirect_uri: redirectUri,
          response_type: "code",
          scope: scopes.join(" "),
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: "S256",
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        return { url: url.href, attempt };
      }),

    /** The person who signed in. @throws {ProblemError} If the provider or the settings refuse them. */
    async finish(
      url: URL,
      attempt: OidcAttempt | undefined,
      redirectUri: string,
    ): Promise<OidcPerson> {
      const isOurs = attempt?.state === url.searchParams.get("state");
      if (!isOurs || now() > attempt.startedAt + ATTEMPT_MS) {
        throw new ProblemError(400, STARTED_ELSEWHERE);
      }
      return await callProvider(async (provider, options) => {
        const answer = oauth.validateAuthResponse(provider, client, url, attempt.state);
        const methods = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
        const authentication = methods.includes("client_secret_basic")
          ? oauth.ClientSecretBasic(clientSecret)
          : oauth.ClientSecretPost(clientSecret);
        const response = await oauth.authorizationCodeGrantRequest(
          provider,
          client,
          authentication,
          answer,
          redirectUri,
          attempt.verifier,
          options,
        );
        const { nonce: expectedNonce } = attempt;
        const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response, {
          expectedNonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(provider, response, options);
        const identity = oauth.getValidatedIdTokenClaims(tokens)!;
        // Some providers write an earlier time, so that slow clocks accept it.
        const seconds = Math.round(identity.iat - now() / 1000);
        if (seconds > CLOCK_SECONDS) throw clockProblem(seconds);
        if (!provider.userinfo_endpoint) return readIdentity(identity, {}, settings);
        const more = await oauth.processUserInfoResponse(
          provider,
          client,
          identity.sub,
          await oauth.userInfoRequest(provider, client, tokens.access_token, options),
        );
        return readIdentity(identity, more, settings);
      });
    },
  };
}

function readSecret(source: OidcSettings["clientSecret"]): string {
  if (typeof source === "string") return source;
  let detail = "is empty: it must be the client's secret";
  try {
    const secret = Deno.readTextFileSync(source.file).trim();
    if (secret) return secret;
  } catch (error) {
    detail = `can't be read: ${(error as Error).message}`;
  }
  throw new SettingsError([{ variable: "OIDC_CLIENT_SECRET_FILE", detail }]);
}

const STARTED_ELSEWHERE =
  "This attempt to sign in was started in another browser or more than ten minutes ago, or it was " +
  "used already. Please sign in again";

function clockProblem(seconds: number): ProblemError {
  return new ProblemError(
    502,
    `The identity provider's clock is ${seconds} seconds ahead of Docket's, so nobody can be ` +
      "signed in. Whoever runs Docket has to set this machine's clock",
  );
}

function problemOfProvider(error: unknown, deadlineMs: number): ProblemError {
  if (error instanceof ProblemError) return error;
  const problem = (status: number, detail: string) =>
    new ProblemError(status, detail, { cause: error });
  if (error instanceof oauth.AuthorizationResponseError) {
    return problem(403, `The identity provider did not sign you in: ${safeCode(error.error)}`);
  }
  const isRefused = error instanceof oauth.ResponseBodyError;
  if (error instanceof oauth.WWWAuthenticateChallengeError || isRefused && error.status === 401) {
    return problem(502, "The identity provider does not accept OIDC_CLIENT_ID with this secret");
  }
  if (isRefused) {
    return problem(
      400,
      `The identity provider did not accept this attempt (${safeCode(error.error)}): it may have ` +
        "been used already. Please sign in again",
    );
  }
  if (error instanceof oauth.OperationProcessingError) {
    const { claim, attribute, body } = (error.cause ?? {}) as {
      readonly claim?: unknown;
      readonly attribute?: unknown;
      readonly body?: { readonly issuer?: unknown };
    };
    if (attribute === "issuer") {
      const named = String(body?.issuer).slice(0, MAX_ISSUER);
      return problem(
        502,
        `The provider at OIDC_ISSUER names its issuer ${named}. Whoever runs Docket has to set ` +
          "OIDC_ISSUER to exactly that" +
          (named.includes("{tenantid}") ? ", with your tenant's ID in place of {tenantid}" : ""),
      );
    }
    if (error.code === oauth.JWT_TIMESTAMP_CHECK) {
      return problem(
        502,
        "The identity provider's answer is not valid at this time. Whoever runs Docket has to " +
          "compare the clocks of both machines",
      );
    }
    if (claim === "nonce") return problem(400, STARTED_ELSEWHERE);
    return problem(502, `The identity provider's answer can't be used (${error.code})`);
  }
  const { name } = error as { name?: unknown };
  if (name === "TimeoutError") {
    return problem(504, `The identity provider did not answer within ${deadlineMs / 1000} seconds`);
  }
  return problem(502, "The identity provider can't be reached, or its answer can't be read");
}

/** An error code of the provider. It comes in a URL that anybody can write: other texts are hidden. */
function safeCode(code: string): string {
  return /^[a-z_]{1,60}$/.test(code) ? code : "unknown error";
}
