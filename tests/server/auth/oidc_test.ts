import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { SettingsError } from "../../../server/config/settings.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { type OidcAttempt, openOidc } from "../../../server/auth/oidc.ts";
import {
  type Accounts,
  CLIENT,
  type IdentityProvider,
  startProvider,
} from "../../identity_provider.ts";

const BACK = "http://localhost:8000/sign-in";
const CONFIGURATION = "/.well-known/openid-configuration";
const ACCOUNTS: Accounts = {
  ada: { name: "Ada Lovelace", groups: ["ops", "all"], email: "ada@example.com" },
  bob: { email: "bob@example.com", email_verified: true },
};

const SETTINGS = {
  ...{ issuer: "https://login.example.com", clientId: CLIENT.id, clientSecret: CLIENT.secret },
  ...{ groupsClaim: "groups", operators: ["group:ops"], trustEmail: false },
  readers: ["bob@example.com", "ada@example.com"],
};

type Options = Parameters<typeof openOidc>[1];

/** Runs a test with a provider and clients of it. */
async function withProvider(
  test: (
    provider: IdentityProvider,
    client: (options?: Options, id?: string) => Client,
  ) => Promise<void>,
): Promise<void> {
  const provider = await startProvider(BACK, ACCOUNTS);
  try {
    await test(
      provider,
      (options, clientId = CLIENT.id) =>
        openOidc({ ...SETTINGS, issuer: provider.issuer, clientId }, options),
    );
  } finally {
    await provider.close();
  }
}

type Client = ReturnType<typeof openOidc>;

/** Signs in as far as the way back. */
async function goTo(provider: IdentityProvider, client: Client, account = "ada") {
  const { url, attempt } = await client.begin(BACK, "/");
  return { attempt, back: new URL(await provider.signIn(url, account)) };
}

async function finishWith(provider: IdentityProvider, client: Client, account?: string) {
  const { attempt, back } = await goTo(provider, client, account);
  return await client.finish(back, attempt, BACK);
}

Deno.test("openOidc: the secret may be in a file, whose faults are the setting's", async () => {
  const file = await Deno.makeTempFile();
  const settings = { ...SETTINGS, clientSecret: { file } };
  assertThrows(() => openOidc(settings), SettingsError, "OIDC_CLIENT_SECRET_FILE is empty");
  await Deno.writeTextFile(file, "secret\n");
  assertEquals(openOidc(settings).host, "login.example.com");
  await Deno.remove(file);
  assertThrows(() => openOidc(settings), SettingsError, "OIDC_CLIENT_SECRET_FILE can't be read");
});

Deno.test("openOidc: gives the person, also where no way to take the secret is named", () =>
  withProvider(async (provider, client) => {
    const ada = { subject: "ada", name: "Ada Lovelace", memberships: ["group:ops"] };
    assertEquals(await finishWith(provider, client()), ada);
    const token_endpoint_auth_methods_supported = undefined;
    provider.change(CONFIGURATION, (all) => ({ ...all, token_endpoint_auth_methods_supported }));
    const bob = { subject: "bob", name: "b…@example.com", memberships: ["bob@example.com"] };
    assertEquals(await finishWith(provider, client(), "bob"), bob);
  }));

Deno.test("openOidc: takes replaced keys, and no answer signed with others", () =>
  withProvider(async (provider, client) => {
    const one = client();
    await finishWith(provider, one);
    await provider.rotateKeys();
    assertEquals((await finishWith(provider, one)).subject, "ada");
    const keys = await (await fetch(`${provider.issuer}/jwks`)).json();
    await provider.rotateKeys();
    provider.change("/jwks", () => keys);
    const words = "can't be used (OAUTH_KEY_SELECTION_FAILED)";
    await assertRejects(() => finishWith(provider, one), Error, words);
  }));

Deno.test("openOidc: an attempt returns once, in time, to its browser, with its own verifier", () =>
  withProvider(async (provider, client) => {
    const one = client();
    const { attempt, back } = await goTo(provider, one);
    const { attempt: other } = await one.begin(BACK, "/");
    const late = client({ now: () => Date.now() + 10 * 60_000 + 5000 });
    const elsewhere = "was started in another browser";
    const refused: [Client, OidcAttempt | undefined, string][] = [
      [one, undefined, elsewhere],
      [one, other, elsewhere],
      [late, attempt, elsewhere],
      [one, { ...attempt, nonce: other.nonce }, elsewhere],
      // The provider takes a code once.
      [one, attempt, "may have been used already"],
    ];
    for (const [oidc, which, words] of refused) {
      await assertRejects(() => oidc.finish(back, which, BACK), Error, words);
    }
    const { attempt: next, back: again } = await goTo(provider, one);
    const verifier = { ...next, verifier: other.verifier };
    const wrong = "did not accept this attempt (invalid_grant)";
    await assertRejects(() => one.finish(again, verifier, BACK), Error, wrong);
    const { attempt: last, back: lastBack } = await goTo(provider, one);
    const secret = "does not accept OIDC_CLIENT_ID with this secret";
    const finish = () => client({}, "other").finish(lastBack, last, BACK);
    assertEquals((await assertRejects(finish, ProblemError, secret)).problem.status, 502);
  }));

Deno.test("openOidc: an answer for another audience, or at another time, signs nobody in", () =>
  withProvider(async (provider, client) => {
    const forged = (claims: object) => (answer: object) => {
      const { id_token } = answer as { id_token: string };
      const [header, payload, signature] = id_token.split(".");
      const alphabet = { alphabet: "base64url", omitPadding: true } as const;
      const own = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(payload, alphabet)));
      const changed = new TextEncoder().encode(JSON.stringify({ ...own, ...claims }));
      return { ...answer, id_token: [header, changed.toBase64(alphabet), signature].join(".") };
    };
    const at = (minutes: number) => client({ now: () => Date.now() + minutes * 60_000 });
    // The provider's clock may be behind.
    assertEquals((await finishWith(provider, at(5))).subject, "ada");
    const cases = [
      [{}, 502, "seconds ahead of Docket's", -5],
      [{ aud: "other" }, 502, "can't be used (OAUTH_JWT_CLAIM_COMPARISON_FAILED)"],
      [{ exp: 1 }, 502, "is not valid at this time"],
      [{ sub: "root" }, 502, "can't be used (OAUTH_INVALID_RESPONSE)"],
      [{ nonce: "other" }, 400, "was started in another browser"],
    ] as const;
    for (const [claims, status, words, minutes = 0] of cases) {
      const one = at(minutes);
      const { attempt, back } = await goTo(provider, one);
      if (minutes === 0) provider.change("/token", forged(claims));
      const finish = () => one.finish(back, attempt, BACK);
      assertEquals((await assertRejects(finish, ProblemError, words)).problem.status, status);
    }
  }));

Deno.test("openOidc: a provider with another issuer than OIDC_ISSUER is named", () =>
  withProvider(async (provider, client) => {
    const issuer = "https://login.example.com/{tenantid}/v2.0";
    provider.change(CONFIGURATION, (all) => ({ ...all, issuer }));
    const { message } = await assertRejects(() => client().begin(BACK, "/"), ProblemError);
    assertStringIncludes(message, `names its issuer ${issuer}`);
    assertStringIncludes(message, "with your tenant's ID in place of {tenantid}");
  }));

Deno.test("openOidc: an absent or slow provider is named, nobody waits", () =>
  withProvider(async (provider, client) => {
    const begin = (options?: Options) => client(options).begin(BACK, "/");
    const hangs = Promise.withResolvers<Response>();
    provider.answerBy(() => hangs.promise);
    const late = "did not answer within 0.05 seconds";
    const { problem } = await assertRejects(() => begin({ deadlineMs: 50 }), ProblemError, late);
    assertEquals(problem.status, 504);
    hangs.resolve(new Response());
    provider.answerBy(() => Promise.resolve(new Response("<h1>Hello</h1>")));
    await assertRejects(() => begin(), Error, "answer can't be used");
    provider.answerBy(null);
    const { attempt } = await begin();
    const back = new URL(`${BACK}?state=${attempt.state}&iss=${provider.issuer}`);
    for (const [error, said] of [["access_denied", "access_denied"], ["<b>r@x", "unknown error"]]) {
      back.searchParams.set("error", error);
      await assertRejects(() => client().finish(back, attempt, BACK), Error, said);
    }
    const gone = client();
    await provider.close();
    const away = () => gone.begin(BACK, "/");
    const { problem: unreached } = await assertRejects(away, ProblemError, "can't be reached");
    assertEquals(unreached.status, 502);
  }));
