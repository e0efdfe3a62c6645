/** A visitor who requests pages, API calls, exports and errors without a pause, and may leave early. */
import type { Random } from "../../server/store/sample/file_sets.ts";
import { signIn } from "../sign_in.ts";

export interface Place {
  readonly origin: string;
  readonly token: string;
  /** The error statuses to expect while faults are made. */
  readonly faultStatuses: readonly number[];
}

export interface Visits {
  answered: number;
  /** Answered with one of the allowed error statuses, or cut off in the middle of an export. */
  failed: number;
  /** Left by the visitor before the answer came. */
  left: number;
  /** Answers that are always wrong, one per line. */
  readonly wrong: string[];
}

/** How long a visitor waits for a complete answer. */
const TIMEOUT_MS = 60_000;

interface Errand {
  readonly method?: string;
  readonly path: string;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
  /** The right statuses, apart from faults. */
  readonly right: readonly number[];
  /** The visitor leaves after this many milliseconds. */
  readonly leavesAfterMs?: number;
}

const WORDS = ["sales", "inv", "part", "größ", "1", "xyz", "%_"];
const FIELDS = ["name", "created", "owner", "fileCount"];
const FORMATS = ["csv", "ndjson", "json"];
const SEARCH = "/api/files/v1/filesets/search";

/** No index has this order, and every row is compared with every value. */
const WORST_SEARCH = {
  fieldSort: [{ field: "owner" }, { field: "name", order: "DESC" }],
  filters: [{
    field: "id",
    operator: "LIKE",
    value: Array.from({ length: 10 }, (_, n) => `${n}a`),
  }],
};

function drawErrand(random: Random, token: string): Errand {
  const api = { "X-SERVICE-Developer-Token": token, "content-type": "application/json" };
  const word = encodeURIComponent(random.pick(WORDS));
  const field = random.pick(FIELDS);
  const search = new URLSearchParams({ filter: `name:LIKE:${word}`, sort: `${field}:ASC` });
  const offset = random.between(0, 4900);
  const page = (path: string): Errand => ({ path, right: [200] });
  const call = (body: string, right: readonly number[]): Errand => ({
    method: "POST",
    path: `${SEARCH}?offset=${offset}&limit=${random.between(1, 200)}`,
    body,
    headers: api,
    right,
  });
  const errands: readonly (() => Errand)[] = [
    () => page(`/filesets?${search}`),
    () => page(`/filesets?offset=${offset}`),
    () => page("/schedules"),
    () => page("/schedules/101"),
    () => page("/schedules/101/recipients"),
    () => page("/schedules/101/check"),
    () => page("/preferences"),
    () => page("/icon.svg"),
    () => call(JSON.stringify({ fieldSort: [{ field, order: "ASC" }] }), [200]),
    () => call("{}", [200]),
    () => ({ path: "/api/content/v1/reportschedules/101/history", headers: api, right: [200] }),
    () => page(`/filesets/export?format=${random.pick(FORMATS)}&sort=${field}`),
    () => ({ ...page("/filesets/export?format=csv"), leavesAfterMs: random.between(1, 50) }),
    () => ({ ...page(`/filesets?${search}`), leavesAfterMs: random.between(1, 10) }),
    () => ({ ...call("{}", [200]), leavesAfterMs: random.between(1, 5) }),
    () => call(`{"filters": [`, [400]),
    // After ten wrong tokens, a client has to wait.
    () => ({ ...call("{}", [401, 429]), headers: { ...api, "X-SERVICE-Developer-Token": "" } }),
    () => ({ ...call("x".repeat(2_000_000), [413]), leavesAfterMs: 1000 }),
    () => ({ path: `/${word}/${offset}`, right: [404] }),
    () => ({ path: `/filesets?${"q=a:b:c&".repeat(1000)}`, right: [414] }),
    () => ({ path: "/sign-in", headers: { cookie: ";".repeat(60_000) }, right: [200] }),
    () => call(JSON.stringify(WORST_SEARCH), [200]),
    () => ({ method: "DELETE", path: "/filesets", right: [405] }),
    () => ({
      method: "POST",
      path: "/preferences",
      body: new URLSearchParams({ zone: "UTC", theme: random.pick(["light", "dark"]) }),
      right: [303],
    }),
  ];
  return random.pick(errands)();
}

/** Visits until `until`, and signs in whenever a page asks for it. */
export async function visit(
  place: Place,
  random: Random,
  until: number,
  visits: Visits,
): Promise<void> {
  let cookie = "";
  while (performance.now() < until) {
    const errand = drawErrand(random, place.token);
    const response = await send(place, errand, cookie, visits);
    if (response?.headers.get("location")?.startsWith("/sign-in")) {
      // Checking a token may fail too; the next page asks again.
      cookie = await signIn(place.origin, place.token).catch(() => "");
    }
  }
}

/** The answer to an errand, counted; undefined if there was none. */
async function send(
  { origin, faultStatuses }: Place,
  { path, method = "GET", body, headers, right, leavesAfterMs }: Errand,
  cookie: string,
  visits: Visits,
): Promise<Response | undefined> {
  const what = `${method} ${path}`;
  try {
    const response = await fetch(origin + path, {
      method,
      body,
      headers: { cookie, ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(leavesAfterMs ?? TIMEOUT_MS),
    });
    const asksToSignIn = response.headers.get("location")?.startsWith("/sign-in") ?? false;
    const isFault = faultStatuses.includes(response.status);
    if (isFault) visits.failed++;
    else if (right.includes(response.status) || asksToSignIn) visits.answered++;
    else visits.wrong.push(`${what}: status ${response.status}`);
    await response.arrayBuffer();
    return response;
  } catch (error) {
    if (leavesAfterMs !== undefined) visits.left++;
    // A fault cuts an export off, so that it does not look complete.
    else if (path.includes("/export") && faultStatuses.length > 0) visits.failed++;
    else visits.wrong.push(`${what}: ${error}`);
  }
}
