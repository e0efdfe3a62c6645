/** What a process uses, by the minute. */

import { MINUTE } from "../../lib/time_units.ts";
/** What a process used in each second of each minute. */
export interface MinuteUsage {
  /** Resident memory, in MiB. */
  readonly memory: readonly (readonly number[])[];
  /** Open files and connections. */
  readonly handles: readonly (readonly number[])[];
}

/** Measures once a second, for that many minutes. */
export async function meter(pid: number, minutes: number): Promise<MinuteUsage> {
  const memory: number[][] = [];
  const handles: number[][] = [];
  const started = performance.now();
  for (let minute = 0; (minute = Math.floor((performance.now() - started) / MINUTE)) < minutes;) {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    (memory[minute] ??= []).push(Number(/VmRSS:\s*(\d+)/.exec(status)![1]) / 1024);
    (handles[minute] ??= []).push([...Deno.readDirSync(`/proc/${pid}/fd`)].length);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return { memory, handles };
}
