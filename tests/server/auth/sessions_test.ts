import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import {
  createEndedSessions,
  createSessions,
  type OpenSession,
} from "../../../server/auth/sessions.ts";

const RENEWAL_MS = 5 * MINUTE;
const KEYS = ["new-key-".repeat(4)];
const PLAIN = "http://localhost:8000";
const NAME = "docket_session_8000";
const SESSION = { token: "planted-token", service: "embedded" };

const withoutTimes = (session: OpenSession | null) =>
  session && { token: session.token, service: session.service };

/** The parts of the cookie that a browser gets when somebody signs in. */
async function signIn(origin = PLAIN, sessions = createSessions(KEYS)): Promise<string[]> {
  const answer = new Headers();
  await sessions.write(answer, SESSION, origin);
  return answer.getSetCookie()[0].split("; ");
}

Deno.test("createSessions: the cookie is for this host alone, and shows no token", async () => {
  const usual = ["HttpOnly", "Max-Age=3600", "Path=/", "SameSite=Lax"];
  const cases = [
    [PLAIN, `${NAME}=`, usual],
    ["https://docket.example.com", "__Host-docket_session=", [...usual, "Secure"]],
  ] as const;
  for (const [origin, name, expected] of cases) {
    const [pair, ...attributes] = await signIn(origin);
    assertEquals([pair.slice(0, name.length), attributes.sort()], [name, expected]);
    for (const shown of ["planted-token", btoa("planted-token").slice(0, 12)]) {
      assert(!pair.includes(shown));
    }
  }
});

Deno.test("createSessions: a changed, foreign or broken cookie is no session", async () => {
  const [pair] = await signIn();
  const read = async (cookie: string, origin = PLAIN, keys = KEYS) =>
    withoutTimes(await createSessions(keys).read(new Headers({ cookie }), origin));
  for (const cookie of [`${NAME}=junk`, `${NAME}=`, `${pair}A`, "other=1", ""]) {
    assertEquals(await read(cookie), null, cookie);
  }
  assertEquals(await read(pair), SESSION);
  // Two programs on one host do not share their cookies, nor do those with other keys.
  assertEquals(await read(pair, "http://localhost:8001"), null);
  assertEquals(await read(pair, PLAIN, ["old-key-".repeat(4)]), null);
});

/** A session as a slow model knows it. */
interface Known {
  readonly id: number;
  readonly token: string;
  readonly startedAt: number;
  readonly sealedAt: number;
}

const STEP = fc.record({
  kind: fc.constantFrom("wait", "sign in", "ask", "ask", "clear", "end", "late answers"),
  browser: fc.constantFrom(0, 1),
  token: fc.constantFrom("planted-token", "another"),
  ms: fc.constantFrom(1, RENEWAL_MS - 1, RENEWAL_MS, HOUR / 2, HOUR - 1, HOUR),
  /** Of an answer, that it comes late; of an end, that it ends all sessions with the token. */
  isMore: fc.boolean(),
});

/** Asked every half hour, until it ends twelve hours after signing in. */
const KEPT = Array.from({ length: 60 }, (_, step) => ({
  ...{ kind: step === 0 ? "sign in" : step % 2 === 1 ? "wait" : "ask", ms: HOUR / 2 },
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
      const sessions = createSessions(KEYS, { ended, now: () => now });
      const browsers = [0, 1].map(() => ({ cookie: "", session: null as Known | null }));
      const ends: ((session: Known) => boolean)[] = [];
      const late: (() => Promise<void>)[] = [];
      const endOf = ({ startedAt, sealedAt }: Known) =>
        Math.min(startedAt + 12 * HOUR, sealedAt + HOUR);
      for (const { kind, browser: which, token, ms, isMore } of steps) {
        const browser = browsers[which];
        const { session } = browser;
        const request = new Headers({ cookie: browser.cookie });
        const answer = new Headers();
        /** The browser gets the answer; by the model, a cookie in it is of this session. */
        const receive = (sent: Known | null) => {
          for (const cookie of answer.getSetCookie()) {
            Object.assign(browser, { cookie: cookie.split(";")[0], session: sent });
          }
        };
        const isSealed = session !== null && now < endOf(session);
        const before = now;
        if (kind === "wait") now += ms;
        else if (kind === "late answers") { for (const arrive of late.splice(0)) await arrive(); }
        else if (kind === "sign in") {
          await sessions.write(answer, { ...SESSION, token }, PLAIN);
          receive({ id: Math.random(), token, startedAt: now, sealedAt: now });
        } else if (kind === "ask") {
          const isOpen = isSealed && !ends.some((isOver) => isOver(session));
          const read = await sessions.read(request, PLAIN);
          assertEquals(withoutTimes(read), isOpen ? { ...SESSION, token: session.token } : null);
          seen.add(isOpen ? "open" : session ? "over" : "none");
          if (!isOpen) continue;
          const arrive = async () => {
            await sessions.renew(answer, read!, PLAIN);
            const isRenewed = now - session.sealedAt >= RENEWAL_MS && now < endOf(session);
            const renewed = { ...session, sealedAt: now };
            // The browser drops the cookie when the session ends.
            const ages = isRenewed ? [String(Math.ceil((endOf(renewed) - now) / 1000))] : [];
            const set = answer.getSetCookie();
            assertEquals(set.map((cookie) => /Max-Age=(\d+)/.exec(cookie)?.[1]), ages);
            receive(renewed);
          };
          if (isMore) late.push(arrive);
          else await arrive();
        } else if (kind === "clear") {
          const read = await sessions.read(request, PLAIN);
          sessions.clear(answer, PLAIN);
          // What drops the session renews nothing.
          if (read) await sessions.renew(answer, read, PLAIN);
          assertEquals(answer.getSetCookie().length, 1);
          receive(null);
        } else {
          await sessions.end(request, PLAIN, isMore);
          if (!isSealed) continue;
          ends.push(({ id, token, startedAt }) =>
            id === session.id || isMore && token === session.token && startedAt < before
          );
        }
      }
    }),
    { examples: [[KEPT], [APART]] },
  );
  assertEquals(seen, new Set(["open", "over", "none"]));
});

Deno.test("createSessions: what can't be written to the list of all is over in this process", async () => {
  const add = () => Promise.reject(new Error("The database is full"));
  const failing = { add, endedBefore: () => Promise.resolve(-Infinity) };
  const sessions = createSessions(KEYS, { ended: createEndedSessions(failing) });
  const [cookie] = await signIn(PLAIN, sessions);
  const mine = new Headers({ cookie });
  assertEquals(withoutTimes(await sessions.read(mine, PLAIN)), SESSION);
  await assertRejects(() => sessions.end(mine, PLAIN, false), Error, "full");
  assertEquals(await sessions.read(mine, PLAIN), null);
});

Deno.test("createSessions: an attempt is used once, in all processes that share the list", async () => {
  const shared = createEndedSessions();
  const [one, other] = [1, 2]
    .map(() => createSessions(KEYS, { ended: createEndedSessions(shared) }));
  assertEquals([await one.useOnce("a"), await one.useOnce("a")], [true, false]);
  assertEquals([await other.useOnce("a"), await other.useOnce("b")], [false, true]);
  // Others do not make it be forgotten.
  assertEquals(await other.useOnce("a"), false);
});
