/** Measures rounds of many watches, with a real clock, records, workers and upstream service. */
import { DAY } from "../../lib/time_units.ts";
import { createJudging } from "../../server/observer/judging/judging.ts";
import { upstreamAccess } from "../../server/observer/service_access.ts";
import { createObserver } from "../../server/observer/observer.ts";
import { sql } from "../../server/store/database/sql.ts";
import { observerRecordsOn } from "../../server/store/records/observer_records.ts";
import { openSqlite } from "../../server/store/database/sqlite.ts";
import { startServing } from "../load.ts";
import { dayPlan } from "./day_runs.ts";
import { todayTimes } from "./today.ts";

interface Round {
  /** What the polls find. */
  readonly what: string;
  readonly seconds: number;
  readonly polls: number;
  readonly failedPolls: number;
  readonly requests: number;
  readonly mostInFlight: number;
  /** Incidents, although nothing is wrong at the upstream service. */
  readonly incidents: number;
}

interface Rounds {
  readonly rounds: readonly Round[];
  /** The times of requests for the page Today, in milliseconds. */
  readonly today: readonly number[];
  /** How many requests to the service these caused. */
  readonly todayRequests: number;
}

/** Half of the watches have a confirmed plan; all are due at once. */
export async function measureRounds(watches: number): Promise<Rounds> {
  const folder = await Deno.makeTempDir();
  const upstream = await startServing(["bench/observer/upstream.ts"]);
  const database = await openSqlite({ path: `${folder}/observer.sqlite` });
  const records = observerRecordsOn(database);
  const judging = createJudging();
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const observer = createObserver({
    records,
    access: upstreamAccess({
      baseUrl: upstream.origin,
      token: "token-of-the-bench",
      tokenHeader: "X-SERVICE-Developer-Token",
      now,
    }),
    judge: (question) => judging.judge(question),
    outlets: [],
    now,
    zone: "UTC",
    everyMs: 60_000,
    origin: "https://docket.example.com",
    heartbeatUrl: null,
    homeDomains: [],
    onEvent: () => {},
  });

  async function round(what: string): Promise<Round> {
    const failedBefore = await failedPolls();
    await seen();
    const started = performance.now();
    const polls = await observer.pollDue();
    const seconds = (performance.now() - started) / 1000;
    return {
      what,
      seconds,
      polls,
      failedPolls: await failedPolls() - failedBefore,
      ...await seen(),
      incidents: (await records.incidents.allOpen()).length,
    };
  }
  const failedPolls = async () =>
    (await records.counters.list()).find(({ outcome }) => outcome === "failed")?.count ?? 0;
  const seen = async (): Promise<{ requests: number; mostInFlight: number }> =>
    await (await fetch(`${upstream.origin}/seen`)).json();

  try {
    const ids = Array.from({ length: watches }, (_, at) => at + 1);
    await records.watches.add(ids.filter((id) => id % 2 === 1), now());
    for (const id of ids.filter((id) => id % 2 === 0)) {
      await records.watches.add([id], now(), { plan: dayPlan(id) });
    }
    const first = await round("first, 60 runs read each");
    await database.write(sql`UPDATE known_schedules SET due = ${now()}`);
    const idle = await round("then, nothing new");
    const today = await todayTimes(folder, upstream.origin);
    // One request was for signing in.
    const todayRequests = (await seen()).requests - 1;
    ahead = DAY;
    await (await fetch(`${upstream.origin}/ahead?ms=${ahead}`, { method: "PUT" })).text();
    const busy = await round("a day later, a new run each");
    return { rounds: [first, idle, busy], today, todayRequests };
  } finally {
    judging.close();
    await database.close();
    await upstream.stop();
    await Deno.remove(folder, { recursive: true });
  }
}
