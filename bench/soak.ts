/**
 * `deno task soak [observer] [MINUTES] [sqlite]`: ten minutes of mixed load with faults on three servers at
 * once. Compares memory and open files in the last minute with the second. Runs of at least ten minutes
 * are published in `bench/RESULTS.md`.
 */
import { startPostgres } from "../tests/server/store/postgres/server.ts";
import { randomFrom } from "../server/store/sample/file_sets.ts";
import { atMost, type Figure, median, table } from "./bench.ts";
import { startServing } from "./load.ts";
import { publish } from "./results.ts";
import { breakConnections, lockSqlite } from "./soak/database_faults.ts";
import { meter, type MinuteUsage } from "./soak/meter.ts";
import { observerTable, soakObserver } from "./soak/observer.ts";
import { type Place, visit, type Visits } from "./soak/visitor.ts";

const TOKEN = "token-of-the-soak";
const VISITORS = 4;
const PUBLISHED_MINUTES = 10;
/** The most that memory and open files may grow from the second minute to the last. */
const MAX_GROWTH = 1.1;

interface Soaked {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly faultStatuses: readonly number[];
  readonly makeFaults: (until: number) => Promise<void>;
}

const isObserver = Deno.args[0] === "observer";
const minutes = Number(Deno.args[isObserver ? 1 : 0] ?? PUBLISHED_MINUTES);
if (!Number.isInteger(minutes) || minutes < 2) {
  console.error("MINUTES must be a whole number from 2");
  Deno.exit(2);
}
if (isObserver) {
  const isSqlite = Deno.args[2] === "sqlite";
  const result = await soakObserver(minutes, isSqlite);
  console.log(result);
  const name = isSqlite ? "soak_observer_sqlite" : "soak_observer";
  if (minutes >= PUBLISHED_MINUTES) await publish(name, observerTable(result));
  const wrong = [...result.lost, ...result.invented, ...result.doubled, ...result.misordered];
  Deno.exit(wrong.length > 0 || result.mostInFlight > 8 ? 1 : 0);
}
const figures = await soakAll();
console.log(`\n${table(figures)}\n`);
if (minutes >= PUBLISHED_MINUTES) await publish("soak", table(figures));
Deno.exit(figures.every(({ isKept }) => isKept) ? 0 : 1);

async function soakAll(): Promise<Figure[]> {
  const folder = await Deno.makeTempDir();
  const postgres = await startPostgres();
  const upstream = await startServing(["bench/soak/upstream.ts"]);
  try {
    const url = await postgres.createDatabase();
    const soaked: readonly Soaked[] = [{
      name: "SQLite, write-locked for one second in six",
      env: { DATABASE_URL: "" },
      faultStatuses: [],
      makeFaults: (until) => lockSqlite(`${folder}/0/docket.sqlite`, until),
    }, {
      name: "PostgreSQL, all connections broken every five seconds",
      env: { DATABASE_URL: url },
      faultStatuses: [503],
      makeFaults: (until) => breakConnections(url, until),
    }, {
      name: "an upstream service that fails every thirteenth request",
      env: { SERVICE_BASE_URL: upstream.origin },
      faultStatuses: [401, 429, 502, 504],
      makeFaults: () => Promise.resolve(),
    }];
    return (await Promise.all(soaked.map((each, at) => soak(each, `${folder}/${at}`)))).flat();
  } finally {
    await upstream.stop();
    await postgres.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

async function soak(
  { name, env, faultStatuses, makeFaults }: Soaked,
  dataDir: string,
): Promise<Figure[]> {
  const settings = { PORT: "0", DATA_DIR: dataDir, SERVICE_TOKEN: TOKEN, ...env };
  // The log has thousands of faults, which nobody reads.
  const app = await startServing(["main.ts"], settings, { log: "null" });
  const visits: Visits = { answered: 0, failed: 0, left: 0, wrong: [] };
  const place: Place = { origin: app.origin, token: TOKEN, faultStatuses };
  const until = performance.now() + minutes * 60_000;
  try {
    const [held] = await Promise.all([
      meter(app.pid, minutes),
      makeFaults(until),
      ...Array.from(
        { length: VISITORS },
        (_, seed) => visit(place, randomFrom(seed), until, visits),
      ),
    ]);
    for (const line of visits.wrong.slice(0, 10)) console.error(`${name}: ${line}`);
    return figuresOf(name, held, visits);
  } finally {
    await app.stop();
  }
}

/** Memory is a minute's median: the maximum mostly shows when V8 last collected garbage. */
function figuresOf(name: string, { memory, handles }: MinuteUsage, visits: Visits): Figure[] {
  const { answered, failed, left, wrong } = visits;
  const sent = answered + failed + left + wrong.length;
  const mostHandles = handles.map((values) => Math.max(...values));
  return [
    lastAgainstSecond(`${name}: median memory`, memory.map(median), " MiB"),
    lastAgainstSecond(`${name}: open files and connections`, mostHandles, ""),
    atMost(
      `${name}: wrong or missing answers, beside ${answered} right ones, ${failed} that ` +
        `reported a fault, and ${left} not waited for`,
      wrong.length,
      0,
      String,
      `${sent} sent`,
    ),
  ];
}

function lastAgainstSecond(what: string, byMinute: readonly number[], unit: string): Figure {
  const [last, second] = [byMinute.at(-1)!, byMinute[1]];
  const show = (value: number) => `${value.toFixed(0)}${unit}`;
  return atMost(
    `${what} in the last of ${byMinute.length} minutes, against the second`,
    last,
    MAX_GROWTH * second,
    show,
    show(second),
  );
}
