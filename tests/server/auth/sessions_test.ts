import { assert, assertEquals, assertRejects } from "@std/assert";
import { createSealing } from "../../../server/auth/sealing.ts";
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

/** Sessions by a clock, and browsers, each with the cookie that it was sent last. */
function setUp() {
  const clock = { now: 1_000_000 };
  const sessions = createSessions(KEYS, { ended: createEndedSessions(), now: () => clock.now });
  function openBrowser() {
    let cookie = "";
    const request = () => new Headers({ cookie });
    /** Takes the cookie of an answer, if it sets one; gives for how long. */
    const receive = (answer: Headers) => {
      const [set] = answer.getSetCookie();
      if (set) cookie = set.split(";")[0];
      return set && Number(/Max-Age=(\d+)/.exec(set)![1]);
    };
    return {
      request,
      async signIn(token = "planted-token") {
        const answer = new Headers();
        await sessions.write(answer, { ...SESSION, token }, PLAIN);
        receive(answer);
      },
      /** Asks for something; gives for how long its cookie is renewed, or null without a session. */
      async ask(meanwhile?: () => Promise<void>) {
        const session = await sessions.read(request(), PLAIN);
        if (!session) return null;
        await meanwhile?.();
        const answer = new Headers();
        await sessions.renew(answer, session, PLAIN);
        return receive(answer);
      },
      end: (everywhere = false) => sessions.end(request(), PLAIN, everywhere),
    };
  }
  return { clock, sessions, openBrowser };
}

Deno.test("createSessions: is over an hour after the last request, twelve after the first", async () => {
  const { clock, openBrowser } = setUp();
  const start = clock.now;
  const [active, late, idle] = [openBrowser(), openBrowser(), openBrowser()];
  for (const each of [active, late, idle]) await each.signIn();
  const steps = [[active, RENEWAL_MS - 1, undefined], [active, RENEWAL_MS, 3600]] as const;
  for (
    const [browser, after, seconds] of [...steps, [late, HOUR - 1, 3600], [
      idle,
      HOUR,
      null,
    ]] as const
  ) {
    clock.now = start + after;
    assertEquals(await browser.ask(), seconds);
  }
  const ages = [];
  for (let age; (age = await active.ask()) !== null; clock.now += HOUR / 2) ages.push(age);
  assertEquals([clock.now - start, ages.at(-1)], [12 * HOUR, 1800]);
});

Deno.test("createSessions: ends alone, or all with its token, so that copies are worthless", async () => {
  const { clock, sessions, openBrowser } = setUp();
  const [one, other, stranger] = [openBrowser(), openBrowser(), openBrowser()];
  for (const each of [one, other]) await each.signIn();
  await stranger.signIn("another");
  const areOpen = () =>
    Promise.all([one, other, stranger].map(async (each) => await each.ask() !== null));
  clock.now += RENEWAL_MS;
  // It ends while another request is answered, which renews the cookie.
  assertEquals(await one.ask(one.end), 3600);
  assertEquals(await areOpen(), [false, true, true]);
  await one.signIn();
  assertEquals(await areOpen(), [true, true, true]);
  clock.now++;
  await other.end(true);
  assertEquals(await areOpen(), [false, false, true]);
  // What drops the session renews nothing.
  clock.now += RENEWAL_MS;
  const answer = new Headers();
  sessions.clear(answer, PLAIN);
  await sessions.renew(answer, (await sessions.read(stranger.request(), PLAIN))!, PLAIN);
  assertEquals(answer.getSetCookie().length, 1);
});

Deno.test("createSessions: what can't be written to the list of all is over in this process", async () => {
  const names: string[] = [];
  const add = ({ name }: { name: string }) => {
    names.push(name);
    return Promise.reject(new Error("The database is full"));
  };
  const failing = { add, endedBefore: () => Promise.resolve(-Infinity) };
  const sessions = createSessions(KEYS, { ended: createEndedSessions(failing) });
  const [cookie] = await signIn(PLAIN, sessions);
  const mine = new Headers({ cookie });
  assertEquals(withoutTimes(await sessions.read(mine, PLAIN)), SESSION);
  await assertRejects(() => sessions.end(mine, PLAIN, false), Error, "full");
  assertEquals(await sessions.read(mine, PLAIN), null);
  // The list is read with every copy of the database; no name in it shows the token.
  await assertRejects(() => sessions.end(mine, PLAIN, true), Error, "full");
  assert(names.length > 1 && !names.join().includes(SESSION.token));
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

const [NEW, OLD] = ["new-".repeat(8), "old-".repeat(8)];

Deno.test("createSealing: opens what any of its keys sealed, and nothing changed", async () => {
  const sealing = createSealing([NEW, OLD]);
  const values = [
    [await sealing.seal("secret"), true],
    [await createSealing([OLD]).seal("secret"), false],
  ] as const;
  for (const [sealed, isByFirst] of values) {
    assertEquals([await sealing.open(sealed), sealing.isByFirstKey(sealed)], ["secret", isByFirst]);
    const changed = sealed.replace(/(?<=\*[^*]{20})./, (letter) => letter === "A" ? "B" : "A");
    for (const text of [changed, sealed.slice(0, -1), ""]) {
      assertEquals(await sealing.open(text), undefined, text);
    }
    assertEquals(await createSealing(["other-".repeat(6)]).open(sealed), undefined);
  }
});
