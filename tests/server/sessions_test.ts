import { assert, assertEquals } from "@std/assert";
import { createSessions } from "../../server/sessions.ts";

const OLD_KEY = "old-key-".repeat(4);
const NEW_KEY = "new-key-".repeat(4);

/** The cookie header that a browser sends after an answer. */
function cookiesAfter(answer: Headers): Headers {
  const pairs = answer.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return new Headers({ cookie: pairs.join("; ") });
}

const PLAIN = "http://localhost:8000";
const SECURE = "https://docket.example.com";
const SESSION = { token: "planted-token", service: "embedded" };

async function signedIn(keys: string[], origin = PLAIN): Promise<Headers> {
  const answer = new Headers();
  await (await createSessions(keys)).write(answer, SESSION, origin);
  return answer;
}

Deno.test("createSessions: what is written is read back", async () => {
  const sessions = await createSessions([NEW_KEY]);
  const answer = new Headers();
  await sessions.write(answer, SESSION, PLAIN);
  assertEquals(await sessions.read(cookiesAfter(answer), PLAIN), SESSION);
});

Deno.test("createSessions: the cookie is out of reach for scripts and other sites", async () => {
  const [cookie] = (await signedIn([NEW_KEY])).getSetCookie();
  const attributes = cookie.split("; ").slice(1);
  assertEquals(attributes.sort(), ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Lax"]);
});

Deno.test("createSessions: over TLS the cookie is bound to this host", async () => {
  const [cookie] = (await signedIn([NEW_KEY], SECURE)).getSetCookie();
  assert(cookie.startsWith("__Host-docket_session="));
  assert(cookie.split("; ").includes("Secure"));
  assertEquals(cookie.includes("Domain"), false);
});

Deno.test("createSessions: the cookie does not show the token", async () => {
  const [cookie] = (await signedIn([NEW_KEY])).getSetCookie();
  assertEquals(cookie.includes("planted-token"), false);
  assertEquals(cookie.includes(btoa("planted-token").slice(0, 12)), false);
});

Deno.test("createSessions: a session of a rotated key is still read", async () => {
  const cookies = cookiesAfter(await signedIn([OLD_KEY]));
  const sessions = await createSessions([NEW_KEY, OLD_KEY]);
  assertEquals(await sessions.read(cookies, PLAIN), SESSION);
});

Deno.test("createSessions: a session of a dropped key is none", async () => {
  const cookies = cookiesAfter(await signedIn([OLD_KEY]));
  assertEquals(await (await createSessions([NEW_KEY])).read(cookies, PLAIN), null);
});

Deno.test("createSessions: a changed cookie is none, wherever it was changed", async () => {
  const sessions = await createSessions([NEW_KEY]);
  const [pair] = (await signedIn([NEW_KEY])).getSetCookie()[0].split(";");
  const [name, sealed] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
  for (const at of [0, 8, Math.floor(sealed.length / 2), sealed.length - 1]) {
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    const headers = new Headers({ cookie: `${name}=${changed}` });
    assertEquals(await sessions.read(headers, PLAIN), null, `changed at ${at}`);
  }
});

Deno.test("createSessions: junk, an empty cookie and no cookie are no session", async () => {
  const sessions = await createSessions([NEW_KEY]);
  for (const cookie of ["docket_session_8000=junk", "docket_session_8000=", "other=1", ""]) {
    assertEquals(await sessions.read(new Headers({ cookie }), PLAIN), null, cookie);
  }
});

Deno.test("createSessions: clearing has the browser drop the cookie", async () => {
  const sessions = await createSessions([NEW_KEY]);
  const answer = new Headers();
  sessions.clear(answer, PLAIN);
  const [cookie] = answer.getSetCookie();
  assert(cookie.startsWith("docket_session_8000=;"), cookie);
  assert(cookie.includes("Expires=Thu, 01 Jan 1970"), cookie);
});

Deno.test("createSessions: two programs on one host do not share their cookies", async () => {
  const sessions = await createSessions([NEW_KEY]);
  const cookies = cookiesAfter(await signedIn([NEW_KEY]));
  assertEquals(await sessions.read(cookies, "http://localhost:8001"), null);
});
