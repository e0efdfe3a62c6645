/** Signing in by OpenID Connect, against a real provider. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { actorText } from "../../lib/actor.ts";
import { type App, ORIGIN, TOKEN, withApp } from "../app.ts";
import { CLIENT, type IdentityProvider, startProvider } from "../identity_provider.ts";
import { INCIDENT_PATH, plantIncident } from "../planted_incident.ts";

/** A browser: it keeps cookies, and follows no redirect by itself. */
class Browser {
  readonly cookies = new Map<string, string>();
  constructor(private readonly app: App, private readonly provider: IdentityProvider) {}

  async send(path: string, form?: Record<string, string>, from = path) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, ...form && { origin: ORIGIN, referer: ORIGIN + from } };
    const method = form ? "POST" : "GET";
    const body = form && new URLSearchParams(form);
    const response = await this.app.fetch(new Request(ORIGIN + path, { method, headers, body }));
    for (const text of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(text)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const to = response.headers.get("location") ?? "";
    const text = await response.text();
    const secret = /planted-secret|code_verifier/.exec(text + [...response.headers].join());
    assertEquals(secret, null);
    return { status: response.status, text, to };
  }

  /** Goes to the provider and comes back; gives the way back, and the cookies before it. */
  async signIn(account: string, next = "/") {
    const query = new URLSearchParams({ oidc: "", next });
    const { to } = await this.send(`/sign-in?${query}`);
    const back = (await this.provider.signIn(to, account)).slice(ORIGIN.length);
    const started = new Map(this.cookies);
    return { ...await this.send(back), back, started };
  }
}

const ACCOUNTS = {
  ada: { name: "Ada Lovelace", groups: ["ops"] },
  bob: { name: "Bob", email: "bob@example.com", email_verified: true },
};

async function withOidc(
  test: (visit: { app: App; browser: () => Browser; provider: IdentityProvider }) => Promise<void>,
): Promise<void> {
  const provider = await startProvider(`${ORIGIN}/sign-in`, ACCOUNTS);
  const settings = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_READERS: "bob@example.com",
    OIDC_OPERATORS: "ops",
  };
  try {
    await withApp(settings, async (app) => {
      await test({ app, browser: () => new Browser(app, provider), provider });
    });
  } finally {
    await provider.close();
  }
}

Deno.test("[e2e] OIDC: an operator acts under the provider's name", () =>
  withOidc(async ({ app, browser }) => {
    await plantIncident(app, { name: "Sales" });
    const ada = browser();
    const page = await ada.send("/sign-in?next=%2Fincidents");
    assertMatch(page.text, /href="\/sign-in\?oidc=&amp;next=%2Fincidents"[^>]*>Sign in with 127/);
    assertMatch(page.text, /A Docket token, or a token of the service, which shows no records/);
    const { status, to } = await ada.signIn("ada", INCIDENT_PATH);
    assertEquals([status, to], [303, INCIDENT_PATH]);
    const { text } = await ada.send(INCIDENT_PATH);
    assertEquals(text.includes('name="name"'), false);
    assertEquals((await ada.send(INCIDENT_PATH, { action: "acknowledge" })).status, 303);
    const { incidents, events } = app.services.records!;
    const [{ id }] = await incidents.allOpen();
    const [, done] = await events.timeline(id);
    assertEquals([done.kind, done.actor], ["acknowledged", {
      name: "Ada Lovelace",
      known: "oidc",
    }]);
    assertEquals(actorText(done.actor!), "Ada Lovelace");
  }));

Deno.test("[e2e] OIDC: a verified address makes a reader, and so does a Docket token", () =>
  withOidc(async ({ app, browser }) => {
    await plantIncident(app, { name: "Sales" });
    const [bob, token] = [browser(), browser()];
    assertEquals((await bob.signIn("bob")).status, 303);
    const docket = await app.services.tokens!.add("Cem", "reader", new Date());
    assertEquals((await token.send("/sign-in", { token: docket! })).status, 303);
    for (const reader of [bob, token]) {
      const { text } = await reader.send(INCIDENT_PATH);
      assertEquals([/Timeline/.test(text), /Acknowledge/.test(text)], [true, false]);
      const refused = await reader.send(INCIDENT_PATH, { action: "acknowledge", name: "Bob" });
      assertEquals(refused.status, 403);
      assertStringIncludes(refused.text, "Only operators may do this");
    }
    assertEquals((await app.services.records!.incidents.allOpen())[0].acknowledged, null);
    const pasted = browser();
    assertEquals((await pasted.send("/sign-in", { token: TOKEN })).status, 303);
    const { text } = await pasted.send(INCIDENT_PATH);
    assertStringIncludes(text, "sign in with 127.0.0.1");
    assertEquals(/Sales|Timeline/.test(text), false);
    assertStringIncludes((await pasted.send("/filesets")).text, "embedded service, sample data<");
  }));

Deno.test("[e2e] OIDC: an attempt works once, in its own browser, and redirects only within Docket", () =>
  withOidc(async ({ browser }) => {
    const [ada, eve] = [browser(), browser()];
    const { back, to, started } = await ada.signIn("ada", "//evil.example");
    assertEquals(to, "/");
    assertEquals((await eve.send(back)).status, 400);
    assertEquals((await eve.send("/")).to, "/sign-in?next=%2F");
    const code = new URL(back, ORIGIN).searchParams.get("code")!;
    // Nor with a copy of the cookie.
    for (const [name, value] of started) eve.cookies.set(name, value);
    for (const [who, why] of [[ada, "Please sign in again"], [eve, "was already used"]] as const) {
      const { status, text } = await who.send(back);
      assertEquals([status, text.includes(why), text.includes(code)], [400, true, false]);
    }
  }));

Deno.test("[e2e] sessions: a form sent after the session ended does nothing, and says so", () =>
  withOidc(async ({ app, browser }) => {
    await plantIncident(app, { name: "Sales" });
    const visitor = browser();
    const page = `${INCIDENT_PATH}?zone=UTC`;
    const sent = await visitor.send(INCIDENT_PATH, { action: "note", name: "Bo" }, page);
    const query = new URLSearchParams({ next: page, unsent: "" });
    assertEquals([sent.status, sent.to], [303, `/sign-in?${query}`]);
    assertStringIncludes((await visitor.send(sent.to)).text, "so nothing was done");
    assertEquals((await visitor.signIn("ada", page)).to, page);
    const { incidents, events } = app.services.records!;
    const [{ id }] = await incidents.allOpen();
    assertEquals((await events.timeline(id)).length, 1);
  }));
