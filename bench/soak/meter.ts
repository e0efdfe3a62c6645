/** What a process holds, by the minute. */

/** The most that a process held in each minute. */
export interface Held {
  /** Resident memory, in MiB. */
  readonly memory: number[];
  /** Open files and connections. */
  readonly handles: number[];
}

const MINUTE = 60_000;

/** Looks once a second, for so many minutes. */
export async function meter(pid: number, minutes: number): Promise<Held> {
  const held: Held = { memory: [], handles: [] };
  const started = performance.now();
  for (let minute = 0; (minute = Math.floor((performance.now() - started) / MINUTE)) < minutes;) {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    const memory = Number(/VmRSS:\s*(\d+)/.exec(status)![1]) / 1024;
    const handles = [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
    held.memory[minute] = Math.max(held.memory[minute] ?? 0, memory);
    held.handles[minute] = Math.max(held.handles[minute] ?? 0, handles);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return held;
}
