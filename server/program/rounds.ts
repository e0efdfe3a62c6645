/** Watches schedules on Deno Deploy, which calls a round every minute. */
import { readEnvironment } from "../config/environment.ts";
import { VARIABLES } from "../config/settings.ts";
import { observe } from "../observer/tasks/observe_task.ts";
import { runTask } from "../store/tasks/task.ts";

/** The required parts of the runtime; `Deno.cron` only exists where cron jobs are supported. */
interface Platform {
  readonly cron?: (name: string, schedule: string, round: () => Promise<void>) => unknown;
  readonly env: { get(name: string): string | undefined };
}

/** Runs `deno task observe --once`, and prints errors only. */
async function observeOnce(): Promise<void> {
  await runTask(observe, ["--once"], {
    env: readEnvironment(VARIABLES),
    print: () => {},
    report: (line) => console.error(line),
    now: () => new Date(),
  });
}

/** Registers the round. The platform calls it on every timeline, so it checks which one this is. */
export function registerRounds(
  platform: Platform = Deno as unknown as Platform,
  round = observeOnce,
): void {
  platform.cron?.("Watch schedules", "* * * * *", async () => {
    const { env } = platform;
    if (env.get("DENO_TIMELINE") === "production" && env.get("DATABASE_URL")) await round();
  });
}
