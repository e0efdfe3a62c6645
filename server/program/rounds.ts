/** Watching on Deno Deploy, where the platform calls a round each minute. */
import { readEnvironment } from "../config/environment.ts";
import { VARIABLES } from "../config/settings.ts";
import { observe } from "../observer/tasks/observe_task.ts";
import { exitCodeOf } from "../store/tasks/task.ts";

/** The parts of the runtime that are used; `Deno.cron` is missing where nothing would call it. */
interface Platform {
  readonly cron?: (name: string, schedule: string, round: () => Promise<void>) => unknown;
  readonly env: { get(name: string): string | undefined };
}

/** Does what is due, and says what went wrong, as `deno task observe --once`. */
async function observeOnce(): Promise<void> {
  await exitCodeOf(observe, ["--once"], {
    env: readEnvironment(VARIABLES),
    print: () => {},
    report: (line) => console.error(line),
    now: () => new Date(),
  });
}

/** Registers the round. The platform finds it on every timeline, so the round checks which one runs. */
export function registerRounds(
  platform: Platform = Deno as unknown as Platform,
  round = observeOnce,
): void {
  platform.cron?.("Watch schedules", "* * * * *", async () => {
    const { env } = platform;
    if (env.get("DENO_TIMELINE") === "production" && env.get("DATABASE_URL")) await round();
  });
}
