/** The progress of a long walk, as a line for a person at a terminal. */
import {
  type Client,
  type ClientOptions,
  createClient,
  createLimiter,
  type RetryInfo,
  type WalkReport,
} from "../lib/mod.ts";
import type { Io } from "./io.ts";

type WalkCounts = Pick<WalkReport, "pages" | "items" | "total">;

/** Makes a client that reads pages ahead, and the line that shows how far it is. */
export function createWalkingClient(
  options: ClientOptions,
  prefetch: number,
  io: Io,
): { readonly client: Client; readonly progress: ReturnType<typeof createProgress> } {
  const progress = createProgress(io);
  const client = createClient({
    ...options,
    limiter: createLimiter({ mostInFlight: prefetch }),
    onRetry: (retry) => {
      options.onRetry?.(retry);
      progress.onRetry(retry);
    },
  });
  return { client, progress };
}

/** Makes the progress line; without a terminal it writes nothing. */
export function createProgress(io: Pick<Io, "err" | "now" | "every">) {
  let stopTimer = () => {};
  let isShown = false;
  let waitsUntil = 0;
  return {
    /** Notes that the client waits before another attempt. */
    onRetry({ waitMs }: RetryInfo): void {
      waitsUntil = io.now() + waitMs;
    },
    start(report: () => WalkCounts, before: () => string = () => ""): void {
      if (!io.err.isTerminal) return;
      const startedAt = io.now();
      const itemsBefore = report().items;
      stopTimer = io.every(250, () => {
        isShown = true;
        const line = before() + progressWords(report(), {
          seconds: (io.now() - startedAt) / 1000,
          itemsBefore,
          waitSeconds: (waitsUntil - io.now()) / 1000,
        });
        void io.err.write(`\r${line}\x1b[K`);
      });
    },
    async stop(): Promise<void> {
      stopTimer();
      if (isShown) await io.err.write("\r\x1b[K");
    },
  };
}

/** The progress of a walk in words, such as `page 3, 1,204 of 5,000 rows, 400/s, 10 s left`. */
export function progressWords(
  { pages, items, total }: WalkCounts,
  { seconds, itemsBefore, waitSeconds }: {
    readonly seconds: number;
    readonly itemsBefore: number;
    readonly waitSeconds: number;
  },
): string {
  const count = (number: number) => Math.round(number).toLocaleString("en");
  const rate = seconds > 0 ? (items - itemsBefore) / seconds : 0;
  const parts = [
    `page ${count(pages + 1)}`,
    `${count(items)}${total === undefined ? "" : ` of ${count(total)}`} rows`,
  ];
  if (rate > 0) parts.push(`${count(rate)}/s`);
  if (waitSeconds > 0) parts.push(`waiting ${count(Math.ceil(waitSeconds))} s for the service`);
  else if (rate > 0 && total !== undefined && total > items) {
    parts.push(`${count(Math.ceil((total - items) / rate))} s left`);
  }
  return parts.join(", ");
}
