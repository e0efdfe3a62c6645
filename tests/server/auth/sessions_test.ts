import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
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

function withoutTimes(session: OpenSession | null) {
  return session && { token: session.token, service: session.service };
}

/** The cookie that a browser gets when somebody signs in. */
async function signIn(origin = PLAIN, sessions = createSessions([NEW_KEY])): Promise<string> {
  const answer = new Headers();
  await sessions.write(answer, SESSION, origin);
  return answer.getSetCookie()[0];
}

Deno.test("createSessions: the cookie is for this host alone, and shows no token", async () => {
  const usual = ["HttpOnly", "Max-Age=3600", "Path=/", "SameSite=Lax"];
  const cases = [
    [PLAIN, `${NAME}=`, usual],
    ["https://docket.example.com", "__Host-docket_session=", [...usual, "Secure"]],
  ] as const;
  for (const [origin, name, expected] of cases) {
    const cookie = await signIn(origin);
    assert(cookie.startsWith(name), cookie);
    assertEquals(cookie.split("; ").slice(1).sort(), expected);
    for (const shown of ["planted-token", btoa("planted-token").slice(0, 12)]) {
      assert(!cookie.includes(shown));
    }
  }
});

Deno.test("createSessions: a changed, foreign or broken cookie is no session", async () => {
  const sessions = createSessions([NEW_KEY]);
  const [pair] = (await signIn()).split(";");
  for (const cookie of [`${NAME}=junk`, `${NAME}=`, `${pair}A`, "other=1", ""]) {
    assertEquals(await sessions.read(new Headers({ cookie }), PLAIN), null, cookie);
  }
  const headers = new Headers({ cookie: pair });
  assertEquals(withoutTimes(await sessions.read(headers, PLAIN)), SESSION);
  // Two programs on one host do not share their cookies, nor do those with other keys.
  assertEquals(await sessions.read(headers, "http://localhost:8001"), null);
  assertEquals(await createSessions([OLD_KEY]).read(headers, PLAIN), null);
});

/** A session as a slow model knows it. */
interface Known {
  readonly id: number;
  readonly token: string;
  readonly startedAt: number;
  readonly sealedAt: number;
}

const STEP = fc.record({
  kind: fc.constantFrom("wait", "sign in", "ask", "ask", "clear", "end", "end all", "late answers"),
  browser: fc.constantFrom(0, 1),
  token: fc.constantFrom("planted-token", "another"),
  ms: fc.constantFrom(1, RENEWAL_MS - 1, RENEWAL_MS, HOUR / 2, HOUR - 1, HOUR),
  /** Of an answer, that it comes late; of an end, that it ends all sessions with the token. */
  isMore: fc.boolean(),
});

/** Asked every half hour, until it ends twelve hours after signing in. */
const KEPT = Array.from({ length: 60 }, (_, at) => ({
  ...{ kind: at === 0 ? "sign in" : at % 2 === 1 ? "wait" : "ask", ms: HOUR / 2 },
  ...{ browser: 0, token: "planted-token", isMore: false },
}));

/** Ending all sessions with a token leaves those with another one. */
const APART = [
  { kind: "sign in", browser: 0, token: "planted-token", ms: 1, isMore: false },
  { kind: "sign in", browser: 1, token: "another", ms: 1, isMore: false },
  { kind: "wait", browser: 0, token: "", ms: 1, isMore: false },
  { kind: "end", browser: 0, token: "", ms: 1, isMore: true },
  { kind: "ask", browser: 1, token: "", ms: 1, isMore: false },
];

Deno.test("createSessions: is open, renewed and over as a slow model says, whatever happens", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 60 }), async (steps) => {
      let now = 1_000_000;
      const ended = createEndedSessions();
      const sessions = createSessions([NEW_KEY], { ended, now: () => now });
      const jars = [0, 1].map(() => new Map<string, string>());
      const known: (Known | null)[] = [null, null];
      const ends: ((session: Known) => boolean)[] = [];
      const late: (() => Promise<void>)[] = [];
      const cookiesOf = (browser: number) =>
        new Headers({ cookie: [...jars[browser]].map((pair) => pair.join("=")).join("; ") });
      /** The browser gets an answer; by the model, its cookie is of this session. */
      function receive(browser: number, headers: Headers, session?: Known | null) {
        for (const cookie of headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
          jars[browser].set(name, value);
        }
        if (session !== undefined) known[browser] = session;
      }
      const endOf = ({ startedAt, sealedAt }: Known) =>
        Math.min(startedAt + 12 * HOUR, sealedAt + HOUR);
      const isSealed = (one: Known | null): one is Known => one !== null && now < endOf(one);
      for (const { kind, browser, token, ms, isMore } of steps) {
        if (kind === "wait") now += ms;
        else if (kind === "late answers") { for (const answer of late.splice(0)) await answer(); }
        else if (kind === "end all") {
          const before = now;
          await ended.add(endOfEverySession(now), now);
          ends.push(({ startedAt }) => startedAt < before);
        } else if (kind === "sign in") {
          const headers = new Headers();
          await sessions.write(headers, { ...SESSION, token }, PLAIN);
          receive(browser, headers, { id: Math.random(), token, startedAt: now, sealedAt: now });
        } else if (kind === "ask") {
          const session = known[browser];
          const isOpen = isSealed(session) && !ends.some((isOver) => isOver(session));
          const read = await sessions.read(cookiesOf(browser), PLAIN);
          assertEquals(withoutTimes(read), isOpen ? { ...SESSION, token: session.token } : null);
          seen.add(isOpen ? "open" : session ? "over" : "none");
          if (!isOpen) continue;
          const answer = async () => {
            const headers = new Headers();
            await sessions.renew(headers, read!, PLAIN);
            const isRenewed = now - session.sealedAt >= RENEWAL_MS && now < endOf(session);
            const renewed = isRenewed ? { ...session, sealedAt: now } : session;
            // The browser drops the cookie when the session ends.
            const ages = isRenewed ? [String(Math.ceil((endOf(renewed) - now) / 1000))] : [];
            const set = headers.getSetCookie();
            assertEquals(set.map((cookie) => /Max-Age=(\d+)/.exec(cookie)?.[1]), ages);
            receive(browser, headers, isRenewed ? renewed : undefined);
          };
          if (isMore) late.push(answer);
          else await answer();
        } else if (kind === "clear") {
          const headers = new Headers();
          const read = await sessions.read(cookiesOf(browser), PLAIN);
          sessions.clear(headers, PLAIN);
          const cleared = headers.getSetCookie();
          // What drops the session renews nothing.
          if (read) await sessions.renew(headers, read, PLAIN);
          assertEquals(headers.getSetCookie(), cleared);
          receive(browser, headers, null);
        } else {
          const mine = known[browser];
          await sessions.end(cookiesOf(browser), PLAIN, isMore);
          if (!isSealed(mine)) continue;
          const before = now;
          ends.push(({ id, token, startedAt }) =>
            id === mine.id || isMore && token === mine.token && startedAt < before
          );
        }
      }
    }),
    { examples: [[KEPT], [APART]] },
  );
  assertEquals(seen, new Set(["open", "over", "none"]));
});

Deno.test("createSessions: what can't be written to the list of all is over in this process", async () => {
  const failing = {
    add: () => Promise.reject(new Error("The database is full")),
    endedBefore: () => Promise.resolve(-Infinity),
  };
  const sessions = createSessions([NEW_KEY], { ended: createEndedSessions(failing) });
  const [cookie] = (await signIn(PLAIN, sessions)).split(";");
  const mine = new Headers({ cookie });
  assertEquals(withoutTimes(await sessions.read(mine, PLAIN)), SESSION);
  await assertRejects(() => sessions.end(mine, PLAIN, false), Error, "full");
  assertEquals(await sessions.read(mine, PLAIN), null);
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

Deno.test("createSessions: an attempt is used once, in all processes that share the list", async () => {
  const shared = createEndedSessions();
  const [one, other] = [1, 2].map(() =>
    createSessions([NEW_KEY], { ended: createEndedSessions(shared) })
  );
  assertEquals([await one.useOnce("a"), await one.useOnce("a")], [true, false]);
  assertEquals([await other.useOnce("a"), await other.useOnce("b")], [false, true]);
});
