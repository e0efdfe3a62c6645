import { assert, assertEquals, assertRejects } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { createSealing } from "../../../server/auth/sealing.ts";
import {
  createEndedSessions,
  createSessions,
  endOfEverySession,
  type OpenSession,
} from "../../../server/auth/sessions.ts";

const RENEWAL_MS = 5 * MINUTE;
const [OLD_KEY, NEW_KEY] = ["old-key-".repeat(4), "new-key-".repeat(4)];
const PLAIN = "http://localhost:8000";
const NAME = "docket_session_8000";
const SESSION = { token: "planted-token", service: "embedded" };

/** The cookie header that a browser sends after an answer. */
function cookiesAfter(answer: Headers): Headers {
  const pairs = answer.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return new Headers({ cookie: pairs.join("; ") });
}

function withoutTimes(session: OpenSession | null) {
  return session && { token: session.token, service: session.service };
}

async function signedIn(keys: string[], origin = PLAIN): Promise<Headers> {
  const answer = new Headers();
  await createSessions(keys).write(answer, SESSION, origin);
  return answer;
}

Deno.test("createSessions: the cookie is for this host alone, and shows no token", async () => {
  const usual = ["HttpOnly", "Max-Age=3600", "Path=/", "SameSite=Lax"];
  const cases = [
    [PLAIN, `${NAME}=`, usual],
    ["https://docket.example.com", "__Host-docket_session=", [...usual, "Secure"]],
  ] as const;
  for (const [origin, name, expected] of cases) {
    const [cookie] = (await signedIn([NEW_KEY], origin)).getSetCookie();
    assert(cookie.startsWith(name), cookie);
    assertEquals(cookie.split("; ").slice(1).sort(), expected);
    for (const shown of ["planted-token", btoa("planted-token").slice(0, 12)]) {
      assert(!cookie.includes(shown));
    }
  }
});

Deno.test("createSessions: a changed, foreign or broken cookie is no session", async () => {
  const sessions = createSessions([NEW_KEY]);
  const [pair] = (await signedIn([NEW_KEY])).getSetCookie()[0].split(";");
  const sealed = pair.slice(NAME.length + 1);
  const cookies = [`${NAME}=junk`, `${NAME}=`, "other=1", ""];
  for (const at of [0, 8, Math.floor(sealed.length / 2), sealed.length - 1]) {
    // Far apart in the alphabet: the last character has bits that mean nothing.
    const other = sealed[at] === "A" ? "g" : "A";
    cookies.push(`${NAME}=${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`);
  }
  for (const cookie of cookies) {
    assertEquals(await sessions.read(new Headers({ cookie }), PLAIN), null, cookie);
  }
  const headers = new Headers({ cookie: pair });
  assertEquals(withoutTimes(await sessions.read(headers, PLAIN)), SESSION);
  // Two programs on one host do not share their cookies, nor do those with other keys.
  assertEquals(await sessions.read(headers, "http://localhost:8001"), null);
  assertEquals(await createSessions([OLD_KEY]).read(headers, PLAIN), null);
});

Deno.test("createSessions: a session that does not say its times is none", async () => {
  const now = Date.now();
  const read = async (more: object) => {
    const sealed = await createSealing([NEW_KEY]).seal({ ...SESSION, ...more });
    const cookie = `${NAME}=${sealed}`;
    return await createSessions([NEW_KEY]).read(new Headers({ cookie }), PLAIN);
  };
  const whole = { startedAt: now, sealedAt: now };
  assertEquals(withoutTimes(await read(whole)), SESSION);
  for (const times of [{}, { startedAt: now }, { sealedAt: now }, { ...whole, startedAt: "x" }]) {
    assertEquals(await read(times), null, JSON.stringify(times));
  }
});

/** A browser that keeps its cookies, and a clock. */
async function visiting() {
  const clock = { now: 1_000_000 };
  const sessions = createSessions([NEW_KEY], { now: () => clock.now });
  const jar = new Map<string, string>();
  const cookies = () => new Headers({ cookie: [...jar].map((pair) => pair.join("=")).join("; ") });
  const keep = (answer: Headers) => {
    for (const cookie of answer.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
  };
  const signIn = async (session = SESSION) => {
    const answer = new Headers();
    await sessions.write(answer, session, PLAIN);
    return answer;
  };
  keep(await signIn());
  const read = () => sessions.read(cookies(), PLAIN);
  const renewed = async () => {
    const headers = new Headers();
    await sessions.renew(headers, (await read())!, PLAIN);
    return headers;
  };
  return {
    ...{ clock, sessions, jar, keep, signIn, read, renewed },
    /** A request as the server answers it: whether there was a session, and whether it was renewed. */
    async ask(): Promise<"none" | "kept" | "renewed"> {
      if (!await read()) return "none";
      const headers = await renewed();
      keep(headers);
      return headers.getSetCookie().length === 0 ? "kept" : "renewed";
    },
  };
}

Deno.test("createSessions: it ends an hour after the last request, and use renews it", async () => {
  const { clock, ask } = await visiting();
  clock.now += RENEWAL_MS - 1;
  assertEquals(await ask(), "kept");
  clock.now += 1;
  assertEquals([await ask(), await ask()], ["renewed", "kept"]);
  clock.now += HOUR - 1;
  assertEquals(await ask(), "renewed");
  clock.now += HOUR;
  assertEquals(await ask(), "none");
});

Deno.test("createSessions: however much it is used, it ends twelve hours after signing in", async () => {
  const { clock, ask, renewed } = await visiting();
  const end = clock.now + 12 * HOUR;
  const maxAge = async () => /Max-Age=(\d+)/.exec((await renewed()).getSetCookie()[0] ?? "")?.[1];
  while (clock.now + HOUR / 2 < end) {
    clock.now += HOUR / 2;
    // The browser drops the cookie when the session ends.
    assertEquals(await maxAge(), String(Math.min(HOUR, end - clock.now) / 1000));
    assertEquals(await ask(), "renewed");
  }
  clock.now = end - 1;
  assertEquals(await ask(), "renewed");
  clock.now = end;
  assertEquals(await ask(), "none");
});

Deno.test("createSessions: an answer that drops it, or comes after its end, renews nothing", async () => {
  const { clock, sessions, read } = await visiting();
  const session = (await read())!;
  const headers = new Headers();
  sessions.clear(headers, PLAIN);
  const cleared = headers.getSetCookie();
  clock.now += RENEWAL_MS;
  await sessions.renew(headers, session, PLAIN);
  assertEquals(headers.getSetCookie(), cleared);
  clock.now += 12 * HOUR;
  const late = new Headers();
  await sessions.renew(late, session, PLAIN);
  assertEquals(late.getSetCookie(), []);
});

for (const meanwhile of ["signing out", "another signing in"]) {
  Deno.test(`createSessions: a renewal that comes after ${meanwhile} brings nothing back`, async () => {
    const { clock, sessions, jar, keep, signIn, read, renewed } = await visiting();
    clock.now += RENEWAL_MS;
    const late = await renewed();
    const ending = new Headers();
    if (meanwhile === "signing out") sessions.clear(ending, PLAIN);
    else await sessions.write(ending, { ...SESSION, token: "another" }, PLAIN);
    keep(ending);
    keep(late);
    assertEquals([jar.has(NAME), await read()], [true, null]);
    // Whoever signs in again, at once, is signed in.
    keep(await signIn());
    assertEquals(withoutTimes(await read()), SESSION);
  });
}

Deno.test("createSessions: renewing seals with the newest key", async () => {
  const before = cookiesAfter(await signedIn([OLD_KEY]));
  const now = () => Date.now() + RENEWAL_MS;
  const later = createSessions([NEW_KEY, OLD_KEY], { now });
  const headers = new Headers();
  await later.renew(headers, (await later.read(before, PLAIN))!, PLAIN);
  const onlyNew = createSessions([NEW_KEY]);
  assertEquals(withoutTimes(await onlyNew.read(cookiesAfter(headers), PLAIN)), SESSION);
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
    areOver: (...cookies: Headers[]) =>
      Promise.all(cookies.map(async (each) => await sessions.read(each, PLAIN) === null)),
  };
}

Deno.test("createSessions: ending ends copies of the cookie, or all sessions with the token", async () => {
  const { clock, sessions, signIn, areOver } = severalSessions();
  const [mine, second, third] = [await signIn(), await signIn(), await signIn()];
  const others = [
    await signIn({ ...SESSION, token: "another" }),
    await signIn({ ...SESSION, service: "https://another.example.com" }),
  ];
  await sessions.end(mine, PLAIN, false);
  const copy = new Headers(mine);
  assertEquals(await areOver(mine, copy, second, third), [true, true, false, false]);
  assertEquals(await areOver(await signIn()), [false]);
  clock.now += 1000;
  await sessions.end(second, PLAIN, true);
  assertEquals(await areOver(second, third, ...others), [true, true, false, false]);
  assertEquals(await areOver(await signIn()), [false]);
});

Deno.test("createSessions: what can't be written to the list of all is over in this process", async () => {
  const failing = {
    add: () => Promise.reject(new Error("The database is full")),
    endedBefore: () => Promise.resolve(-Infinity),
  };
  const { clock, sessions, signIn, areOver } = severalSessions(createEndedSessions(failing));
  const [mine, another] = [await signIn(), await signIn()];
  await assertRejects(() => sessions.end(mine, PLAIN, false), Error, "full");
  assertEquals(await areOver(mine, another), [true, false]);
  clock.now += 1000;
  await assertRejects(() => sessions.end(mine, PLAIN, true), Error, "full");
  assertEquals(await areOver(another), [true]);
});

Deno.test("endOfEverySession: it holds for as long as a session that it ended could last", async () => {
  const list = createEndedSessions();
  const { clock, signIn, areOver } = severalSessions(list);
  const cookies = await signIn();
  clock.now += HOUR - 1;
  await list.add(endOfEverySession(clock.now - 1), clock.now - 1);
  await list.add({ name: "another", before: 0, expires: clock.now }, clock.now);
  assertEquals(await areOver(cookies, await signIn()), [true, false]);
});

Deno.test("createEndedSessions: what expired is forgotten", async () => {
  const list = createEndedSessions();
  await list.add({ name: "a", before: 5, expires: 100 }, 0);
  await list.add({ name: "b", before: 7, expires: 300 }, 100);
  assertEquals([await list.endedBefore(["a", "b"]), await list.endedBefore(["a"])], [7, 5]);
  await list.add({ name: "c", before: 1, expires: 400 }, 101);
  assertEquals(await list.endedBefore(["a"]), -Infinity);
  assertEquals(await list.endedBefore(["b", "c"]), 7);
});
