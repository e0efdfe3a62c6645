/** Pages of people with a million runs to 20 of 40,000 people each. */
import { sql } from "../server/store/database/sql.ts";
import { DAY } from "../lib/time_units.ts";
import type { ReportRun } from "../lib/types.ts";
import { openDatabase } from "../server/store/open.ts";
import { storeOn } from "../server/store/store.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, median, milliseconds, quantile, seconds } from "./bench.ts";
import { send, startApp, TOKEN } from "./load.ts";
import { signIn } from "./sign_in.ts";

const SCHEDULES = 5000;
const RUNS = 200;
const PEOPLE = 40_000;
const LISTED = 20;
const REQUESTS = 200;
const NEWEST = Date.UTC(2026, 10, 22, 6);

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const schedules = Math.ceil(SCHEDULES * share);
    const people = Math.ceil(PEOPLE * share);
    await fill(folder, schedules, people);
    const app = await startApp(folder);
    const pages: Record<string, readonly number[]> = {};
    try {
      const headers = { cookie: await signIn(app.origin, TOKEN), accept: "text/html" };
      const timesOf = async (pathOf: (at: number) => string) => {
        const times: number[] = [];
        for (let at = 0; at < REQUESTS + 5; at++) {
          const started = performance.now();
          await send({ url: app.origin + pathOf(at), init: { headers } });
          if (at >= 5) times.push(performance.now() - started);
        }
        return times;
      };
      pages["/people"] = await timesOf((at) => LISTS[at % LISTS.length]);
      pages["/people/:id"] = await timesOf((at) => `/people/${1 + at * 37 % people}`);
    } finally {
      await app.stop();
    }
    for (const [page, times] of Object.entries(pages)) {
      console.error(`  ${page}: median ${milliseconds(median(times))}`);
    }
    const size = `${(schedules * RUNS).toLocaleString("en")} runs`;
    const p99 = (page: string) => quantile(pages[page], 0.99);
    return [
      atMost(`p99 of \`/people\`, ${size}`, p99("/people"), 300, milliseconds),
      atMost(`p99 of \`/people/:id\`, ${size}`, p99("/people/:id"), 150, milliseconds),
    ];
  });

const LISTS = [
  "/people",
  "/people?group=outside",
  "/people?group=stopped",
  "/people?q=person+12",
  "/people?offset=5000",
];

/** Fills the embedded service, and prints the size of the database. */
async function fill(folder: string, schedules: number, people: number): Promise<void> {
  const database = await openDatabase({ dataDir: folder, databaseUrl: null });
  const store = storeOn(database);
  const started = performance.now();
  for (let at = 0; at < schedules; at++) {
    await store.put({ runs: runsOf(at, people).map((run) => ({ scheduleId: 1000 + at, run })) });
  }
  const tookMs = performance.now() - started;
  await database.maintain(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
  await database.close();
  const bytes = (await Deno.stat(`${folder}/docket.sqlite`)).size;
  const each = Math.round(bytes / schedules / RUNS);
  console.error(`  filled in ${seconds(tookMs / 1000)}, ${each} bytes a run`);
}

/** A daily schedule. Every 40 runs, somebody else replaces one recipient. */
function runsOf(schedule: number, people: number): ReportRun[] {
  return Array.from({ length: RUNS }, (_, age) => {
    const start = NEWEST - age * DAY + schedule * 1000;
    const recipients = Array.from({ length: LISTED }, (_, at) => {
      const person = (schedule * 8 + at + (at === 0 ? Math.floor(age / 40) * 31 : 0)) % people;
      const domain = person % 50 === 0 ? "partner.example.net" : "example.com";
      return {
        userId: person,
        displayName: `Person ${person}`,
        emailAddress: `person.${person}@${domain}`,
      };
    });
    return {
      id: schedule * 1000 + age,
      reportId: schedule,
      reportTitle: `Report ${schedule}`,
      reportSubject: `Report ${schedule}, figures of the day`,
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 31_000 + age).toISOString(),
      automated: true,
      cardCount: 5,
      attachmentCount: 1,
      attachmentSize: 180_000 + age * 7,
      emailSize: 24_000 + age,
      status: age % 50 === 9 ? "failure" : "success",
      ownerId: 1,
      recipientCount: LISTED,
      resourceType: "page",
      resourceId: schedule,
      resourceName: `Page ${schedule}`,
      recipients,
    };
  });
}

export default bench;
