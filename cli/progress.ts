import type { WalkReport } from "../lib/mod.ts";
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

/** Such as `page 3, 1,204 of 5,000 rows`. */
export function describeWalk(
  { pages, items, total }: Pick<WalkReport, "pages" | "items" | "total">,
): string {
  const of = total === undefined ? "" : ` of ${formatCount(total)}`;
  return `page ${formatCount(pages + 1)}, ${formatCount(items)}${of} rows`;
}

/** Shows a line that changes on a terminal; without one it writes nothing. */
export function createProgress(io: Pick<Io, "err" | "every">) {
  let stopTimer = () => {};
  let isShown = false;
  return {
    start(describe: () => string): void {
      if (!io.err.isTerminal) return;
      stopTimer = io.every(250, () => {
        isShown = true;
        void io.err.write(`\r${describe()}\x1b[K`);
      });
    },
    async stop(): Promise<void> {
      stopTimer();
      if (isShown) await io.err.write("\r\x1b[K");
    },
  };
}
