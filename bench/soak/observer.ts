/**
 * `deno task soak observer [MINUTES] [sqlite]`: two observers share one PostgreSQL, or one has SQLite,
 * and one is killed every five seconds. The receiver and then PostgreSQL are down for a while, and the
 * service sends stale, doubled, reordered and broken answers, wrong dates and errors. In the end,
 * transitions, incidents and messages must match.
 */
import { MINUTE } from "../../lib/time_units.ts";
import { observerRecordsOn } from "../../server/store/records/observer_records.ts";
import { openPostgresql } from "../../server/store/database/postgresql.ts";
import { openSqlite } from "../../server/store/database/sqlite.ts";
import { layWire } from "../../tests/server/store/database/wire.ts";
import { startPostgres } from "../../tests/server/store/postgres/server.ts";
import { setTimeout as delay } from "node:timers/promises";

const SCHEDULES = 60;
/** Bad runs in a row, so that polls that a kill delayed still see one. */
const BAD_RUNS = 3;
const KILL_MS = 5000;
/** How long the last changes may take to be reported. */
const SETTLE_MS = 100_000;
/** When the database is down, and for how long. */
const AWAY = { after: 2.5 * MINUTE, forMs: 15_000 };
/** The shares of stale answers, and of answers with a wrong date. */
const STALE = { share: 0.1, ageMs: 30_000 };
/** The shares of rows in another order, of rows twice, and of each kind of error. */
const SHUFFLED = 0.1;
const DOUBLED = 0.1;
const BROKEN = 0.01;
/** The codes of incidents about these errors. */
const READING: readonly string[] = ["unreadable", "stale", "behind"];
const WRONG_DATE = { share: 0.03, byMs: 3_600_000 };
/** When answers lack the two newest runs, in each minute, if two answers before had them. */
const LACKING = { from: 20_000, to: 42_000, runs: 2 };

interface ChaosResult {
  readonly minutes: number;
  readonly kills: number;
  /** Changes from good to bad and back that the service showed. */
  readonly transitions: number;
  readonly lost: readonly string[];
  /** Incidents without a transition. */
  readonly invented: readonly string[];
  /** Incidents or messages that exist twice. */
  readonly doubled: readonly string[];
  /** Incidents whose `resolved` was sent before their `opened`. */
  readonly misordered: readonly string[];
  readonly mostInFlight: number;
  readonly requests: number;
  /** Messages that arrived more than once, with the same id. */
  readonly repeats: number;
}

export async function soakObserver(minutes: number, isSqlite: boolean): Promise<ChaosResult> {
  const postgres = isSqlite ? null : await startPostgres();
  const wire = postgres && layWire(await postgres.createDatabase());
  const url = wire?.url;
  const folder = await Deno.makeTempDir();
  const database = url
    ? await openPostgresql({ url })
    : await openSqlite({ path: `${folder}/observer.sqlite` });
  const records = observerRecordsOn(database);
  // At a whole minute of the service's time, when the plan's runs are due.
  const start = Math.ceil(Date.now() / MINUTE) * MINUTE;
  const end = start + minutes * MINUTE;
  const service = startService(start, end);
  const receiver = startReceiver(start);
  const plan = { cron: ["* * * * *"], zone: "UTC", graceMs: 50_000, since: 0 };
  const ids = Array.from({ length: SCHEDULES }, (_, at) => at + 1);
  await records.watches.add(ids, Date.now(), { plan });
  const env = {
    DATABASE_URL: url ?? "",
    DATA_DIR: folder,
    SERVICE_BASE_URL: service.origin,
    OBSERVER_TOKEN: "observer-token",
    OBSERVE_EVERY: "1s",
    WEBHOOK_URL: `${receiver.origin}/hook`,
    WEBHOOK_SECRET: `whsec_${btoa("s".repeat(32))}`,
    LOG_LEVEL: "error",
  };
  const observers = Array.from({ length: postgres ? 2 : 1 }, () => startObserver(env));
  let kills = 0;
  let wasAway = false;
  try {
    for (let at = 0; Date.now() < end; at = (at + 1) % observers.length) {
      // One alone is killed less often, so that it works in between.
      await delay(postgres ? KILL_MS : 3 * KILL_MS);
      if (wire && !wasAway && Date.now() > start + AWAY.after) {
        wasAway = true;
        await wire.cut();
        await delay(AWAY.forMs);
        wire.mend();
      }
      observers[at].kill("SIGKILL");
      await observers[at].status;
      observers[at] = startObserver(env);
      kills++;
    }
    await delay(SETTLE_MS);
  } finally {
    for (const observer of observers) observer.kill("SIGKILL");
    await Promise.all(observers.map(({ status }) => status));
  }
  const { items: all } = await records.incidents.list({ limit: 100_000 });
  const items = all.filter(({ code }) => code === "failing");
  const invented = all.filter(({ code, scheduleId, reason: { since } }) =>
    !READING.includes(code) && code !== "failing" ||
    code === "failing" &&
      !service.failures.some((each) => each.scheduleId === scheduleId && each.at === since)
  ).map(({ id }) => id);
  const lost: string[] = [];
  const doubled: string[] = [];
  const misordered: string[] = [];
  let transitions = 0;
  for (const { scheduleId, at } of service.failures) {
    transitions += 2;
    const found = items.filter((each) =>
      each.scheduleId === scheduleId && each.reason.since === at && each.resolved !== null
    );
    const name = `${scheduleId} at ${new Date(at).toISOString()}`;
    if (found.length === 0) lost.push(name);
    if (found.length > 1) doubled.push(name);
    for (const type of ["incident.opened", "incident.resolved"]) {
      const ids = receiver.idsOf(`${type} ${found[0]?.id}`);
      if (ids.size === 0) lost.push(`${type} ${name}`);
      if (ids.size > 1) doubled.push(`${type} ${name}`);
    }
    const [first] = receiver.typesOf(found[0]?.id);
    if (first === "incident.resolved") misordered.push(name);
  }
  await service.stop();
  await receiver.stop();
  await database.close();
  await wire?.cut();
  await postgres?.stop();
  await Deno.remove(folder, { recursive: true });
  const { mostInFlight, requests } = service.counted;
  return {
    minutes,
    kills,
    transitions,
    lost,
    invented,
    doubled,
    misordered,
    mostInFlight,
    requests,
    repeats: receiver.repeats(),
  };
}

function startObserver(env: Record<string, string>): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "server/program/tasks.ts", "observe"],
    env,
    stdout: "null",
    stderr: "null",
  }).spawn();
}

/**
 * Schedules that run every minute and fail for a while each. None fails again within the hour, since
 * flapping is reported differently.
 */
function startService(start: number, end: number) {
  const counted = { mostInFlight: 0, requests: 0 };
  // Nothing starts to fail in the last minutes, so that each failure can end.
  const minutes = Math.max(1, Math.round((end - start) / MINUTE) - BAD_RUNS);
  const failures: { scheduleId: number; at: number }[] = [];
  for (let scheduleId = 1; scheduleId <= SCHEDULES; scheduleId++) {
    for (let minute = 1; start + (minute + 1) * MINUTE <= end; minute++) {
      const isFirst = !isBad(scheduleId, minute - 1, minutes);
      if (isFirst && isBad(scheduleId, minute, minutes)) {
        failures.push({ scheduleId, at: start + minute * MINUTE });
      }
    }
  }
  let inFlight = 0;
  /** The newest minutes of each schedule's last two good answers: a kill may lose one of them. */
  const served = new Map<number, readonly number[]>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      counted.requests++;
      counted.mostInFlight = Math.max(counted.mostInFlight, ++inFlight);
      await delay(5);
      inFlight--;
      const { pathname, searchParams } = new URL(request.url);
      const scheduleId = Number(/reportschedules\/(\d+)\//.exec(pathname)?.[1]);
      const sinceStart = Date.now() - start;
      const age = Math.random() < STALE.share ? STALE.ageMs : 0;
      const second = sinceStart % MINUTE;
      const newest = Math.floor((sinceStart - age) / MINUTE);
      const before = served.get(scheduleId) ?? [];
      const isKnown = before.length === 2 && before.every((minute) => minute >= newest);
      const isLacking = isKnown && second >= LACKING.from && second < LACKING.to;
      const latest = newest - (isLacking ? LACKING.runs : 0);
      const dice = Math.random() / BROKEN;
      if (dice < 1) return new Response("secret", { status: 500 });
      if (dice < 2) {
        return new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } });
      }
      if (dice < 3) {
        return new Response('[{"id": 1, "sta', { headers: { "content-type": "application/json" } });
      }
      if (dice < 3.1) return new Response("", { status: 429, headers: { "retry-after": "1" } });
      const isWrong = Math.random() < WRONG_DATE.share;
      const date = new Date(Date.now() - (isWrong ? WRONG_DATE.byMs : 0)).toUTCString();
      const skip = Number(searchParams.get("skip"));
      // A history's further pages are of the same poll, which one kill loses whole.
      if (!isLacking && skip === 0) served.set(scheduleId, [...before, newest].slice(-2));
      const runs = [];
      for (let minute = latest; minute > latest - 120; minute--) {
        const at = start + minute * MINUTE;
        runs.push({
          id: 1_000_000 + minute,
          startTime: new Date(at).toISOString(),
          endTime: new Date(at + 500).toISOString(),
          automated: true,
          status: minute > 0 && at < end && isBad(scheduleId, minute, minutes)
            ? "failure"
            : "success",
        });
      }
      if (Math.random() < DOUBLED) runs.splice(3, 0, runs[3]);
      if (Math.random() < SHUFFLED) runs.unshift(...runs.splice(2, 5));
      const page = runs.slice(skip, skip + Number(searchParams.get("limit")));
      return Response.json(page, { headers: { date } });
    },
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    counted,
    failures,
    stop: () => server.shutdown(),
  };
}

/** Whether a schedule fails in a minute. */
function isBad(scheduleId: number, minute: number, minutes: number): boolean {
  const first = 1 + scheduleId % minutes;
  return minute >= first && minute < first + BAD_RUNS;
}

/** Accepts webhooks, except for half of the second minute. */
function startReceiver(start: number) {
  const received: { id: string; about: string }[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { type, data } = await request.json();
      const since = Date.now() - start;
      if (since > 1.5 * MINUTE && since < 2 * MINUTE) return new Response(null, { status: 503 });
      const id = request.headers.get("webhook-id")!;
      for (const { incident } of [data, ...data.others ?? []]) {
        received.push({ id, about: `${type} ${incident.id}` });
      }
      return new Response(null, { status: 204 });
    },
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    /** The types of the messages about an incident, in order. */
    typesOf: (id: string | undefined) =>
      received.map(({ about }) => about.split(" ")).filter(([, of]) => of === id)
        .map(([type]) => type),
    idsOf: (about: string) =>
      new Set(received.filter((each) => each.about === about).map(({ id }) => id)),
    repeats: () =>
      received.length - new Set(received.map(({ id, about }) => `${id} ${about}`)).size,
    stop: () => server.shutdown(),
  };
}

export function observerTable(
  { minutes, kills, transitions, lost, invented, doubled, misordered, ...counted }: ChaosResult,
): string {
  const { mostInFlight, requests, repeats } = counted;
  const failed = `${lost.length} | ${invented.length} | ${doubled.length} | ${misordered.length}`;
  return [
    "| minutes | kills | transitions | lost | invented | recorded or sent twice | sent in the wrong order | most requests in flight | requests | repeats of a message |",
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    `| ${minutes} | ${kills} | ${transitions} | ${failed} | ${mostInFlight} | ${requests} | ${repeats} |`,
  ].join("\n");
}
