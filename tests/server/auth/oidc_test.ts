import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { SettingsError } from "../../../server/config/settings.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { type OidcAttempt, openOidc } from "../../../server/auth/oidc.ts";
import { CLIENT, startProvider } from "../../identity_provider.ts";
import { serveLocally } from "../../processes.ts";

const BACK = "http://localhost:8000/sign-in";
const CONFIGURATION = "/.well-known/openid-configuration";
const ACCOUNTS = {
  ada: { name: "Ada Lovelace", groups: ["ops", "all"], email: "ada@example.com" },
  bob: { email: "bob@example.com", email_verified: true },
};

const SETTINGS = {
  ...{ issuer: "https://login.example.com", clientId: CLIENT.id, clientSecret: CLIENT.secret },
  ...{ groupsClaim: "groups", operators: ["group:ops"], trustEmail: false },
  readers: ["bob@example.com", "ada@example.com"],
};

type Client = ReturnType<typeof openOidc>;

/** A provider, and clients of it. */
async function startWorld() {
  const provider = await startProvider(BACK, ACCOUNTS);
  const client = (options?: Parameters<typeof openOidc>[1], clientId = CLIENT.id) =>
    openOidc({ ...SETTINGS, issuer: provider.issuer, clientId }, options);
  /** Signs in as far as the way back. */
  const goTo = async (one: Client, account = "ada") => {
    const { url, attempt } = await one.begin(BACK, "/");
    return { attempt, back: new URL(await provider.signIn(url, account)) };
  };
  const finish = async (one: Client, account?: string) => {
    const { attempt, back } = await goTo(one, account);
    return await one.finish(back, attempt, BACK);
  };
  return { provider, client, goTo, finish, [Symbol.asyncDispose]: provider.close };
}

/** Expects a problem with these words; gives its status. */
async function statusOf(work: () => Promise<unknown>, words: string): Promise<number> {
  return (await assertRejects(work, ProblemError, words)).problem.status;
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

Deno.test("openOidc: gives the person; takes replaced keys, and no answer signed with others", async () => {
  await using world = await startWorld();
  const { provider, client, finish } = world;
  const one = client();
  const ada = { subject: "ada", name: "Ada Lovelace", memberships: ["group:ops"] };
  assertEquals(await finish(one), ada);
  const keys = await (await fetch(`${provider.issuer}/jwks`)).json();
  await provider.rotateKeys();
  // No way to take the secret is named.
  const token_endpoint_auth_methods_supported = undefined;
  provider.change(CONFIGURATION, (all) => ({ ...all, token_endpoint_auth_methods_supported }));
  const bob = { subject: "bob", name: "b…@example.com", memberships: ["bob@example.com"] };
  assertEquals(await finish(one, "bob"), bob);
  provider.change("/jwks", () => keys);
  const words = "can't be used (OAUTH_KEY_SELECTION_FAILED)";
  assertEquals(await statusOf(() => finish(one), words), 502);
});

Deno.test("openOidc: an attempt returns once, in time, to its browser, with its own verifier", async () => {
  await using world = await startWorld();
  const { client, goTo } = world;
  const one = client();
  const { attempt, back } = await goTo(one);
  const { attempt: other } = await one.begin(BACK, "/");
  const after = (ms: number) => client({ now: () => attempt.startedAt + ms });
  const elsewhere = "than ten minutes ago, or it was used already. Please sign in again";
  const refused: [Client, OidcAttempt | undefined, string][] = [
    [one, undefined, elsewhere],
    [one, other, elsewhere],
    [after(600_001), attempt, elsewhere],
    [one, { ...attempt, nonce: other.nonce }, elsewhere],
    // The provider takes a code once.
    [after(600_000), attempt, "may have been used already"],
  ];
  for (const [oidc, which, words] of refused) {
    assertEquals(await statusOf(() => oidc.finish(back, which, BACK), words), 400);
  }
  const next = await goTo(one);
  const verifier = { ...next.attempt, verifier: other.verifier };
  const wrong = "did not accept this attempt (invalid_grant)";
  assertEquals(await statusOf(() => one.finish(next.back, verifier, BACK), wrong), 400);
  const last = await goTo(one);
  const finish = () => client({}, "other").finish(last.back, last.attempt, BACK);
  assertEquals(await statusOf(finish, "does not accept OIDC_CLIENT_ID with this secret"), 502);
});

Deno.test("openOidc: an answer for another audience, or at another time, signs nobody in", async () => {
  await using world = await startWorld();
  const { provider, client, goTo } = world;
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
  assertEquals((await world.finish(at(5))).subject, "ada");
  const cases = [
    [{}, 502, "seconds ahead of Docket's", -5],
    [{ aud: "other" }, 502, "can't be used (OAUTH_JWT_CLAIM_COMPARISON_FAILED)"],
    [{ exp: 1 }, 502, "is not valid at this time"],
    [{ sub: "root" }, 502, "can't be used (OAUTH_INVALID_RESPONSE)"],
    [{ nonce: "other" }, 400, "was started in another browser"],
  ] as const;
  for (const [claims, status, words, minutes = 0] of cases) {
    const one = at(minutes);
    const { attempt, back } = await goTo(one);
    if (minutes === 0) provider.change("/token", forged(claims));
    assertEquals(await statusOf(() => one.finish(back, attempt, BACK), words), status);
  }
});

Deno.test("openOidc: a provider that is absent, slow or another is named, and nobody waits", async () => {
  await using world = await startWorld();
  const { provider, client } = world;
  const begin = () => client().begin(BACK, "/");
  const { attempt } = await begin();
  const back = new URL(`${BACK}?state=${attempt.state}&iss=${provider.issuer}`);
  for (const [error, said] of [["access_denied", "access_denied"], ["<b>r@x", "unknown error"]]) {
    back.searchParams.set("error", error);
    assertEquals(await statusOf(() => client().finish(back, attempt, BACK), said), 403);
  }
  const issuer = "https://login.example.com/{tenantid}/v2.0";
  provider.change(CONFIGURATION, (all) => ({ ...all, issuer }));
  assertEquals(await statusOf(begin, `names its issuer ${issuer}`), 502);
  assertEquals(await statusOf(begin, "with your tenant's ID in place of {tenantid}"), 502);
  // It hangs until its first caller gives up.
  const gaveUp = Promise.withResolvers<void>();
  await using other = serveLocally(async ({ signal }) => {
    signal.addEventListener("abort", () => gaveUp.resolve());
    await gaveUp.promise;
    return new Response("<h1>Hello</h1>");
  });
  const beginAtOther = (deadlineMs?: number) =>
    openOidc({ ...SETTINGS, issuer: other.origin }, { deadlineMs }).begin(BACK, "/");
  assertEquals(await statusOf(() => beginAtOther(50), "did not answer within 0.05 seconds"), 504);
  assertEquals(await statusOf(beginAtOther, "answer can't be used"), 502);
  const gone = client();
  await provider.close();
  assertEquals(await statusOf(() => gone.begin(BACK, "/"), "can't be reached"), 502);
});
