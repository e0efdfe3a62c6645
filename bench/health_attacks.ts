/** The visitors of `health.ts`, in a thread of their own. They send requests until a stop message. */
import { API_HEADERS } from "./load.ts";

export const FILE_SETS = 100_000;

/** Connections per attack. */
export const CONNECTIONS = {
  "forms of 64 KB": 8,
  "plan previews": 20,
  "links with many ids": 4,
  "deep searches": 4,
} as const;

/** Ranges of ids in the longest form and the longest link. */
const RANGES = "1-1000 ".repeat(9000);
const LINKED_RANGES = "1-1000+".repeat(1100);

/** Twenty expressions that are due every minute together, and fit no runs. */
const PLAN = new URLSearchParams({
  cron: Array.from({ length: 20 }, (_, at) => `${at * 3}-${at * 3 + 2} * * * *`).join("\n"),
  zone: "Europe/Berlin",
  grace: "1",
  from: "2025-01-01",
  backtest: "on",
});

interface Attack {
  readonly path: string;
  readonly init?: (round: number) => RequestInit;
}

const ATTACKS: Readonly<Record<keyof typeof CONNECTIONS, Attack>> = {
  "forms of 64 KB": {
    path: "/schedules/watch",
    init: () => ({
      method: "POST",
      body: new URLSearchParams({ action: "watch", id: RANGES.slice(0, 65_000) }),
    }),
  },
  "plan previews": {
    path: `/schedules/101/plan?${PLAN}`,
  },
  "links with many ids": {
    path: `/schedules?add=${LINKED_RANGES}`,
  },
  "deep searches": {
    path: `/api/files/v1/filesets/search?limit=1000&offset=${FILE_SETS / 2}`,
    init: (round) => ({
      method: "POST",
      headers: API_HEADERS,
      body: JSON.stringify({
        filters: [{ field: "fileCount", not: true, value: [`${-round - 1}`] }],
        fieldSort: [{ field: "owner" }, { field: "name", order: "DESC" }],
      }),
    }),
  },
};

interface Order {
  readonly origin: string;
  readonly cookie: string;
  readonly names: readonly (keyof typeof CONNECTIONS)[];
}

/** Sends requests until the signal aborts. Returns how many answers had each status. */
async function attack({ origin, cookie, names }: Order, signal: AbortSignal) {
  const answers: Record<number, number> = {};
  await Promise.all(names.flatMap((name) =>
    Array.from({ length: CONNECTIONS[name] }, async () => {
      const { path, init } = ATTACKS[name];
      for (let round = 0; !signal.aborted; round++) {
        const { headers, ...rest } = init?.(round) ?? {};
        const response = await fetch(origin + path, {
          redirect: "manual",
          ...rest,
          headers: headers ?? { cookie, origin, accept: "text/html" },
        });
        await response.body?.cancel();
        answers[response.status] = (answers[response.status] ?? 0) + 1;
      }
    })
  ));
  return answers;
}

const ending = new AbortController();
self.onmessage = async ({ data }: MessageEvent<Order | "stop">) => {
  if (data === "stop") return ending.abort();
  self.postMessage(await attack(data, ending.signal));
};
