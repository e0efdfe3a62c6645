/** How many incidents watching opens in years in which nothing is wrong. */
import { defaultStatusDictionary, judgeSchedule, type ReportRun } from "../lib/mod.ts";
import type { Incident } from "../lib/judgement/incidents/incident.ts";
import { AGAIN_MS, nextChange, transition } from "../lib/judgement/incidents/transition.ts";
import { DAY, MINUTE } from "../lib/time_units.ts";
import { dueMoments, planNamed } from "../tests/lib/judgement/histories/plans.ts";
import { type Random, randomFrom } from "../tests/lib/judgement/histories/random.ts";
import { atMost, type Figure } from "./bench.ts";

/** Plans, and for how many days each is watched from its first run. */
const RARE = {
  "daily 06:00": 365,
  "weekdays 07:00": 365,
  "Mondays 09:00": 365,
  "the 1st and 15th 05:00": 365,
};
/** Longer would take hours. It starts with the first run, when least is known, so years have fewer. */
const FREQUENT = { "hourly": 30, "every 6 hours": 180, "hourly 07:00 to 18:00 on weekdays": 90 };
const ZONES = ["Europe/Berlin", "America/New_York", "UTC"];
/** How late schedulers start runs, in milliseconds. */
const LATENESS: readonly ((random: Random) => number)[] = [
  // At once, at any time within some minutes, or when a queue has come to it.
  (random) => 20_000 * random.next(),
  (random) => 12 * MINUTE * random.next(),
  (random) => -2 * MINUTE * Math.log(1 - random.next()),
];
const statuses = defaultStatusDictionary();

/** False incidents a year of schedules that run daily or more rarely, and of frequent ones. */
export function quietYears(seed: number): readonly Figure[] {
  return [
    perYear(`incidents a quiet year, daily or rarer, seed ${seed}`, RARE, ZONES, 0.1, seed),
    perYear(`incidents a quiet year, frequent, seed ${seed}`, FREQUENT, ["UTC"], 0.5, seed),
  ];
}

function perYear(
  what: string,
  plans: Readonly<Record<string, number>>,
  zones: readonly string[],
  budget: number,
  seed: number,
): Figure {
  const random = randomFrom(seed);
  let [opened, watched] = [0, 0];
  for (const [name, days] of Object.entries(plans)) {
    for (const lateness of LATENESS) {
      for (const zone of zones) {
        opened += incidentsIn(quietRuns(name, zone, days, lateness, random), zone, random);
        watched += days;
      }
    }
  }
  return atMost(what, 365 * opened / watched, budget, (value) => value.toFixed(2));
}

function quietRuns(
  name: string,
  zone: string,
  days: number,
  lateness: (random: Random) => number,
  random: Random,
): readonly ReportRun[] {
  const from = Date.UTC(2025, 0, 1) + random.between(0, 365) * DAY;
  const recipients = Array.from({ length: random.between(1, 12) }, (_, at) => ({
    userId: at + 1,
    emailAddress: `${at}@example.com`,
  }));
  return dueMoments(planNamed(name), zone, from, from + days * DAY).map((due, id) => {
    const start = Math.round(due + lateness(random));
    return {
      id,
      status: "success",
      automated: true,
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + Math.round(30_000 * Math.exp(0.25 * random.normal())))
        .toISOString(),
      attachmentCount: 1,
      attachmentSize: Math.round(300_000 * Math.exp(0.1 * random.normal())),
      recipientCount: recipients.length,
      recipients,
    };
  });
}

/** The incidents that open when polled at whole minutes: when a run ended, or a verdict may change. */
function incidentsIn(runs: readonly ReportRun[], zone: string, random: Random): number {
  const offset = random.between(0, MINUTE - 1);
  const pollAfter = (at: number) => Math.ceil((at - offset) / MINUTE) * MINUTE + offset;
  let [open, recent]: Incident[][] = [[], []];
  let [opened, again]: [number, number] = [0, Infinity];
  const poll = (now: number) => {
    const seen = runs.filter(({ startTime }) => Date.parse(startTime!) <= now).map((run) =>
      Date.parse(run.endTime!) <= now ? run : { ...run, endTime: null, status: null }
    );
    const { reasons, changesAt } = judgeSchedule({ runs: seen }, { now, statuses, zone });
    const oldest = Date.parse(seen[0].startTime!);
    const changes = transition(open, recent, reasons, { now, scheduleId: 1, oldest });
    opened += changes.filter(({ event }) => event === "opened").length;
    const changed = new Set(changes.map(({ before }) => before));
    const known = [
      ...[...open, ...recent].filter((incident) => !changed.has(incident)),
      ...changes.map(({ incident }) => incident),
    ];
    open = known.filter(({ resolved }) => resolved === null);
    recent = known.filter(({ resolved }) => resolved !== null && now - resolved < AGAIN_MS);
    const moments = [changesAt, nextChange(known, { now })].filter((at) => at !== null);
    again = Math.min(...moments.filter((at) => at > now), Infinity);
  };
  for (const { endTime } of runs) {
    const ended = pollAfter(Date.parse(endTime!));
    while (pollAfter(again + 1) < ended) poll(pollAfter(again + 1));
    poll(ended);
  }
  return opened;
}
