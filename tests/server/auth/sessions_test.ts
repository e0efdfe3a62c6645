import { assert, assertEquals, assertRejects } from "@std/assert";
import { defaults, seal } from "iron-webcrypto";
import { HOUR } from "../../../lib/time_units.ts";
import {
  createEndedSessions,
  createSessions,
  endOfEverySession,
  type OpenSession,
} from "../../../server/auth/sessions.ts";

const SESSION_RENEWAL_MS = 5 * 60_000;
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

function withoutTimes(session: OpenSession | null) {
  return session && { token: session.token, service: session.service };
}

async function signedIn(keys: string[], origin = PLAIN): Promise<Headers> {
  const answer = new Headers();
  await createSessions(keys).write(answer, SESSION, origin);
  return answer;
}

Deno.test("createSessions: the cookie is out of reach for scripts and other sites", async () => {
  const [cookie] = (await signedIn([NEW_KEY])).getSetCookie();
  const attributes = cookie.split("; ").slice(1);
  assertEquals(attributes.sort(), ["HttpOnly", "Max-Age=3600", "Path=/", "SameSite=Lax"]);
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

Deno.test("createSessions: a session of a dropped key is none", async () => {
  const cookies = cookiesAfter(await signedIn([OLD_KEY]));
  assertEquals(await createSessions([NEW_KEY]).read(cookies, PLAIN), null);
});

Deno.test("createSessions: a changed cookie is none, wherever it was changed", async () => {
  const sessions = createSessions([NEW_KEY]);
  const [pair] = (await signedIn([NEW_KEY])).getSetCookie()[0].split(";");
  const [name, sealed] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
  for (const at of [0, 8, Math.floor(sealed.length / 2), sealed.length - 1]) {
    // Far apart in the alphabet: the last character has bits that mean nothing.
    const other = sealed[at] === "A" ? "g" : "A";
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    const headers = new Headers({ cookie: `${name}=${changed}` });
    assertEquals(await sessions.read(headers, PLAIN), null, `changed at ${at}`);
  }
});

Deno.test("createSessions: junk, an empty cookie and no cookie are no session", async () => {
  const sessions = createSessions([NEW_KEY]);
  for (const cookie of ["docket_session_8000=junk", "docket_session_8000=", "other=1", ""]) {
    assertEquals(await sessions.read(new Headers({ cookie }), PLAIN), null, cookie);
  }
});

Deno.test("createSessions: two programs on one host do not share their cookies", async () => {
  const sessions = createSessions([NEW_KEY]);
  const cookies = cookiesAfter(await signedIn([NEW_KEY]));
  assertEquals(await sessions.read(cookies, "http://localhost:8001"), null);
});

/** A browser that keeps its cookie, and a clock. */
async function visiting(keys = [NEW_KEY]) {
  const clock = { now: 1_000_000 };
  const sessions = createSessions(keys, { now: () => clock.now });
  const answer = new Headers();
  await sessions.write(answer, SESSION, PLAIN);
  let cookies = cookiesAfter(answer);
  return {
    clock,
    read: () => sessions.read(cookies, PLAIN),
    /** A request as the server answers it: whether there was a session, and whether it was renewed. */
    async ask(): Promise<"none" | "kept" | "renewed"> {
      const session = await sessions.read(cookies, PLAIN);
      if (!session) return "none";
      const headers = new Headers();
      await sessions.renew(headers, session, PLAIN);
      if (headers.getSetCookie().length === 0) return "kept";
      cookies = cookiesAfter(headers);
      return "renewed";
    },
  };
}

Deno.test("createSessions: without a request it ends after an hour", async () => {
  const { clock, ask } = await visiting();
  clock.now += HOUR - 1;
  assertEquals(await ask(), "renewed");
  clock.now += HOUR;
  assertEquals(await ask(), "none");
});

Deno.test("createSessions: in use it is renewed now and then, not with every answer", async () => {
  const { clock, ask } = await visiting();
  clock.now += SESSION_RENEWAL_MS - 1;
  assertEquals(await ask(), "kept");
  clock.now += 1;
  assertEquals([await ask(), await ask()], ["renewed", "kept"]);
});

Deno.test("createSessions: however much it is used, it ends twelve hours after signing in", async () => {
  const { clock, ask } = await visiting();
  const end = clock.now + 12 * HOUR;
  // As a page that refreshes itself every five minutes asks.
  while (clock.now + 300_000 < end) {
    clock.now += 300_000;
    assertEquals(await ask(), "renewed");
  }
  clock.now = end - 1;
  assertEquals(await ask(), "kept");
  clock.now = end;
  assertEquals(await ask(), "none");
});

Deno.test("createSessions: the browser drops the cookie when the session ends", async () => {
  let now = 0;
  const sessions = createSessions([NEW_KEY], { now: () => now });
  const renewedAt = async (time: number) => {
    now = time;
    const headers = new Headers();
    const session = { ...SESSION, id: "1", startedAt: 0, sealedAt: time - SESSION_RENEWAL_MS };
    await sessions.renew(headers, session, PLAIN);
    return /Max-Age=(\d+)/.exec(headers.getSetCookie()[0])?.[1];
  };
  assertEquals(await renewedAt(SESSION_RENEWAL_MS), "3600");
  assertEquals(await renewedAt(12 * HOUR - 90_000), "90");
  // It ended while the answer was made.
  assertEquals(await renewedAt(12 * HOUR), undefined);
});

Deno.test("createSessions: an answer that drops the session does not renew it", async () => {
  const sessions = createSessions([NEW_KEY], { now: () => SESSION_RENEWAL_MS });
  const headers = new Headers();
  sessions.clear(headers, PLAIN);
  const cleared = headers.getSetCookie();
  await sessions.renew(headers, { ...SESSION, id: "1", startedAt: 0, sealedAt: 0 }, PLAIN);
  assertEquals(headers.getSetCookie(), cleared);
});

for (const meanwhile of ["signing out", "another signing in"]) {
  Deno.test(`createSessions: a renewal that comes after ${meanwhile} brings nothing back`, async () => {
    let now = 1_000_000;
    const sessions = createSessions([NEW_KEY], { now: () => now });
    const jar = new Map<string, string>();
    const cookies = () =>
      new Headers({ cookie: [...jar].map((pair) => pair.join("=")).join("; ") });
    const keep = (answer: Headers) => {
      for (const cookie of answer.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        if (value === "") jar.delete(name);
        else jar.set(name, value);
      }
    };
    const first = new Headers();
    await sessions.write(first, SESSION, PLAIN);
    keep(first);
    now += SESSION_RENEWAL_MS;
    const late = new Headers();
    await sessions.renew(late, (await sessions.read(cookies(), PLAIN))!, PLAIN);
    const ending = new Headers();
    if (meanwhile === "signing out") sessions.clear(ending, PLAIN);
    else await sessions.write(ending, { ...SESSION, token: "another" }, PLAIN);
    keep(ending);
    keep(late);
    assertEquals(jar.has("docket_session_8000"), true);
    assertEquals(await sessions.read(cookies(), PLAIN), null);
    // Whoever signs in again, at once, is signed in.
    const again = new Headers();
    await sessions.write(again, SESSION, PLAIN);
    keep(again);
    assertEquals(withoutTimes(await sessions.read(cookies(), PLAIN)), SESSION);
  });
}

Deno.test("createSessions: renewing seals with the newest key", async () => {
  const before = cookiesAfter(await signedIn([OLD_KEY]));
  const later = createSessions(
    [NEW_KEY, OLD_KEY],
    { now: () => Date.now() + SESSION_RENEWAL_MS },
  );
  const headers = new Headers();
  await later.renew(headers, (await later.read(before, PLAIN))!, PLAIN);
  const onlyNew = createSessions([NEW_KEY]);
  assertEquals(withoutTimes(await onlyNew.read(cookiesAfter(headers), PLAIN)), SESSION);
});

Deno.test("createSessions: a session that does not say its times is none", async () => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(NEW_KEY));
  const id = new Uint8Array(digest).toHex().slice(0, 16);
  const sessions = createSessions([NEW_KEY]);
  const readSealed = async (value: object) => {
    const sealed = await seal(value, { id, secret: NEW_KEY }, defaults);
    return await sessions.read(new Headers({ cookie: `docket_session_8000=${sealed}` }), PLAIN);
  };
  const now = Date.now();
  const whole = { ...SESSION, startedAt: now, sealedAt: now };
  assertEquals(await readSealed(whole), whole);
  for (
    const times of [{}, { startedAt: now }, { sealedAt: now }, { startedAt: "x", sealedAt: now }]
  ) {
    assertEquals(await readSealed({ ...SESSION, ...times }), null, JSON.stringify(times));
  }
});

/** Cookies of sessions on one list, each of its own browser, with a clock. */
function severalSessions(ended = createEndedSessions()) {
  const clock = { now: 1_000_000 };
  const sessions = createSessions([NEW_KEY], { ended, now: () => clock.now });
  return {
    clock,
    sessions,
    async signIn(session = SESSION): Promise<Headers> {
      const answer = new Headers();
      await sessions.write(answer, session, PLAIN);
      return cookiesAfter(answer);
    },
    isOver: async (cookies: Headers) => await sessions.read(cookies, PLAIN) === null,
  };
}

Deno.test("createSessions: a session that was ended is over, for a copy of its cookie too", async () => {
  const { sessions, signIn, isOver } = severalSessions();
  const [mine, other] = [await signIn(), await signIn()];
  const copy = new Headers(mine);
  await sessions.end(mine, PLAIN, false);
  assertEquals([await isOver(mine), await isOver(copy), await isOver(other)], [true, true, false]);
  assertEquals(await isOver(await signIn()), false);
});

Deno.test("createSessions: ended everywhere, all sessions with the token are over, and no others", async () => {
  const { clock, sessions, signIn, isOver } = severalSessions();
  const others = [
    await signIn({ ...SESSION, token: "another" }),
    await signIn({ ...SESSION, service: "https://another.example.com" }),
  ];
  const mine = [await signIn(), await signIn()];
  clock.now += 1000;
  await sessions.end(mine[0], PLAIN, true);
  assertEquals(await Promise.all(mine.map(isOver)), [true, true]);
  assertEquals(await Promise.all(others.map(isOver)), [false, false]);
  assertEquals(await isOver(await signIn()), false);
});

Deno.test("createSessions: what can't be written to the list of all is over in this process", async () => {
  const failing = {
    add: () => Promise.reject(new Error("The database is full")),
    endedBefore: () => Promise.resolve(-Infinity),
  };
  const { clock, sessions, signIn, isOver } = severalSessions(createEndedSessions(failing));
  const [mine, another] = [await signIn(), await signIn()];
  await assertRejects(() => sessions.end(mine, PLAIN, false), Error, "full");
  assertEquals([await isOver(mine), await isOver(another)], [true, false]);
  clock.now += 1000;
  await assertRejects(() => sessions.end(mine, PLAIN, true), Error, "full");
  assertEquals(await isOver(another), true);
});

Deno.test("endOfEverySession: it holds for as long as a session that it ended could last", async () => {
  const list = createEndedSessions();
  const { clock, signIn, isOver } = severalSessions(list);
  const cookies = await signIn();
  clock.now += HOUR - 1;
  await list.add(endOfEverySession(clock.now - 1), clock.now - 1);
  await list.add({ name: "another", before: 0, expires: clock.now }, clock.now);
  assertEquals([await isOver(cookies), await isOver(await signIn())], [true, false]);
});

Deno.test("createEndedSessions: what expired is forgotten", async () => {
  const list = createEndedSessions();
  await list.add({ name: "a", before: 5, expires: 100 }, 0);
  await list.add({ name: "b", before: 7, expires: 300 }, 100);
  assertEquals(await list.endedBefore(["a", "b"]), 7);
  assertEquals(await list.endedBefore(["a"]), 5);
  await list.add({ name: "c", before: 1, expires: 400 }, 101);
  assertEquals(await list.endedBefore(["a"]), -Infinity);
  assertEquals(await list.endedBefore(["b", "c"]), 7);
});
