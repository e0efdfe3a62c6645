/**
 * A day of watching with real records, judgement and observers, but virtual clocks: time jumps to
 * whatever is due next. The service answers from memory.
 */
import process from "node:process";
import { DAY, MINUTE } from "../../lib/time_units.ts";
import { answerJudgeQuestion } from "../../server/observer/judging/judging_questions.ts";
import { directAccess } from "../../server/observer/service_access.ts";
import { createObserver } from "../../server/observer/observer.ts";
import { observerRecordsOn } from "../../server/store/records/observer_records.ts";
import { openSqlite } from "../../server/store/database/sqlite.ts";
import { dayPlan, dayRuns } from "./day_runs.ts";

const START = Date.UTC(2026, 2, 10);

export interface Day {
  readonly polls: number;
  readonly requests: number;
  /** The most polls that were due within a minute. */
  readonly busiestMinute: number;
  readonly cpuSeconds: number;
  readonly databaseBytes: number;
  /** Incidents, although nothing is wrong. */
  readonly incidents: number;
}

/** Watches schedules for a day, with instances that share their records. */
export async function measureDay(schedules: number, instances: number): Promise<Day> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/day.sqlite`;
  const database = await openSqlite({ path });
  const records = observerRecordsOn(database);
  let now = START;
  let requests = 0;
  const access = directAccess({
    fileSets: { search: () => Promise.reject(new Error("not asked")) },
    reportSchedules: {
      history(scheduleId, { limit = 100, skip = 0 } = {}) {
        requests++;
        return Promise.resolve(dayRuns(scheduleId, now).slice(skip, skip + limit));
      },
    },
  });
  const observers = Array.from({ length: instances }, () =>
    createObserver({
      records,
      access,
      judge: (question) => Promise.resolve(answerJudgeQuestion(question)),
      outlets: [],
      now: () => now,
      zone: "UTC",
      everyMs: MINUTE,
      origin: "https://docket.example.com",
      heartbeatUrl: null,
      onEvent: () => {},
    }));
  try {
    const ids = Array.from({ length: schedules }, (_, at) => at + 1);
    for (const id of ids) await records.watches.add([id], now, { plan: dayPlan(id) });
    await Promise.all(observers.map((observer) => observer.pollDue()));
    const perMinute = new Map<number, number>();
    requests = 0;
    const started = process.cpuUsage();
    for (;;) {
      const due = await records.polls.nextDue();
      if (due === null || due > START + DAY) break;
      now = Math.max(due, now + 1);
      const polls = await Promise.all(observers.map((observer) => observer.pollDue()));
      const minute = Math.floor(now / MINUTE);
      const before = perMinute.get(minute) ?? 0;
      perMinute.set(minute, before + polls.reduce((sum, each) => sum + each, 0));
    }
    const { user, system } = process.cpuUsage(started);
    return {
      polls: perMinute.values().reduce((sum, each) => sum + each, 0),
      requests,
      busiestMinute: Math.max(...perMinute.values()),
      cpuSeconds: (user + system) / 1e6,
      databaseBytes: (await Deno.stat(path)).size,
      incidents: (await records.incidents.allOpen()).length,
    };
  } finally {
    await database.close();
    await Deno.remove(folder, { recursive: true });
  }
}
