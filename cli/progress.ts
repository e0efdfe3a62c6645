import { type Client, type ClientOptions, createClient, type WalkReport } from "../lib/mod.ts";
import { formatCount as count } from "../lib/format.ts";
import type { Io } from "./io.ts";

type WalkCounts = Pick<WalkReport, "pages" | "items" | "total">;

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
      progress.onRetry(retry);
    },
  });
  return { client, progress };
}

/** Makes a line such as `page 3, 1,204 of 5,000 rows`; without a terminal it writes nothing. */
export function createProgress(io: Pick<Io, "err" | "now" | "every">) {
  let stopTimer = () => {};
  let isShown = false;
  let waitsUntil = 0;
  return {
    onRetry({ waitMs }: { readonly waitMs: number }): void {
      waitsUntil = io.now() + waitMs;
    },
    start(report: () => WalkCounts, before: () => string = () => ""): void {
      if (!io.err.isTerminal) return;
      stopTimer = io.every(250, () => {
        isShown = true;
        const { pages, items, total } = report();
        const of = total === undefined ? "" : ` of ${count(total)}`;
        const seconds = Math.ceil((waitsUntil - io.now()) / 1000);
        const waiting = seconds > 0 ? `, waiting ${count(seconds)} s for the service` : "";
        const line = `${before()}page ${count(pages + 1)}, ${count(items)}${of} rows${waiting}`;
        void io.err.write(`\r${line}\x1b[K`);
      });
    },
    async stop(): Promise<void> {
      stopTimer();
      if (isShown) await io.err.write("\r\x1b[K");
    },
  };
}
