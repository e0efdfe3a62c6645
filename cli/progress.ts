import { type Client, type ClientOptions, createClient, type WalkReport } from "../lib/mod.ts";
import { formatCount } from "../lib/format.ts";
import type { Io } from "./io.ts";

/** Runs work, and aborts it on Ctrl+C. */
export async function interruptible<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  try {
    return await work(interrupt.signal);
  } finally {
    release();
  }
}

/** Makes a client for a long walk, and a line that shows its progress. */
export function createWalkingClient(
  options: ClientOptions,
  io: Io,
): { readonly client: Client; readonly progress: ReturnType<typeof createProgress> } {
  const progress = createProgress(io);
  const client = createClient({
    ...options,
    onRetry: (retry) => {
      options.onRetry?.(retry);
      progress.waitsUntil(io.now() + retry.waitMs);
    },
  });
  return { client, progress };
}

/** Such as `page 3, 1,204 of 5,000 rows`. */
export function describeWalk(
  { pages, items, total }: Pick<WalkReport, "pages" | "items" | "total">,
): string {
  const of = total === undefined ? "" : ` of ${formatCount(total)}`;
  return `page ${formatCount(pages + 1)}, ${formatCount(items)}${of} rows`;
}

/** Shows a line that changes on a terminal; without one it writes nothing. */
export function createProgress(io: Pick<Io, "err" | "now" | "every">) {
  let stopTimer = () => {};
  let isShown = false;
  let waits = 0;
  return {
    waitsUntil: (time: number): void => void (waits = time),
    start(describe: () => string): void {
      if (!io.err.isTerminal) return;
      stopTimer = io.every(250, () => {
        isShown = true;
        const seconds = Math.ceil((waits - io.now()) / 1000);
        const waiting = seconds > 0 ? `, waiting ${formatCount(seconds)} s for the service` : "";
        void io.err.write(`\r${describe()}${waiting}\x1b[K`);
      });
    },
    async stop(): Promise<void> {
      stopTimer();
      if (isShown) await io.err.write("\r\x1b[K");
    },
  };
}
