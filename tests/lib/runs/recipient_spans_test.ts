import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { recipientSpans } from "../../../lib/runs/recipient_spans.ts";
import type { ReportRun } from "../../../lib/types.ts";

/** Whole numbers from 0 to below a bound, the same in each run of the tests. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * bound);
  };
}

/** A history with churn: people come, leave, change their addresses, and share them. */
function anyHistory(random: (bound: number) => number): ReportRun[] {
  let listed: { userId: number | null; emailAddress: string | null; displayName: string }[] = [];
  return Array.from({ length: random(9) }, (_, id) => {
    if (random(2) === 0) {
      const userId = [1, 2, 3, 0, -1, null][random(6)];
      const emailAddress = ["a@x.example", "A@X.example", "b@x.example", null][random(4)];
      listed = [...listed, { userId, emailAddress, displayName: `${id}` }];
    }
    if (random(3) === 0) listed = listed.filter(() => random(2) === 0);
    return {
      id,
      startTime: random(12) === 0 ? null : new Date(random(6) * DAY).toISOString(),
      status: ["success", "Success", "failure", "odd"][random(4)],
      recipients: random(9) === 0 ? null : listed,
    };
  });
}

/** The same by the slowest means: for each pair of user id and address, whether it is the person. */
function oracle(histories: ReadonlyMap<number, readonly ReportRun[]>): string[] {
  const all = [...histories.values()].flat().flatMap(({ recipients }) => recipients ?? []);
  const folded = (address: string | null | undefined) => address?.toLowerCase() ?? null;
  const keys = new Set<string>();
  const isShared = (userId: number) =>
    [...histories.values()].flat().some(({ recipients }) =>
      new Set(
        recipients?.filter((one) => one.userId === userId)
          .flatMap((one) => folded(one.emailAddress) || []),
      ).size > 1
    );
  const shared = new Map([1, 2, 3].map((id) => [id, isShared(id)]));
  const userOf = ({ userId }: typeof all[number]) =>
    userId != null && userId > 0 && !shared.get(userId) ? userId : null;
  const keyOf = (one: typeof all[number]) => {
    const userId = userOf(one);
    if (userId !== null) return `${userId}`;
    const address = folded(one.emailAddress);
    if (!address) return null;
    const users = new Set(
      all.filter((other) => folded(other.emailAddress) === address).flatMap((other) =>
        userOf(other) ?? []
      ),
    );
    return users.size === 1 ? `${[...users][0]}` : address;
  };
  for (const one of all) keys.add(keyOf(one) ?? "");
  keys.delete("");
  const rows: string[] = [];
  for (const [scheduleId, runs] of histories) {
    const good = runs.filter(({ status, startTime, recipients }) =>
      status?.toLowerCase() === "success" && startTime && recipients
    );
    const newest = good.reduce<ReportRun | undefined>((best, run) => {
      if (!best) return run;
      const order = Date.parse(run.startTime!) - Date.parse(best.startTime!) || run.id - best.id;
      return order > 0 ? run : best;
    }, undefined);
    for (const key of keys) {
      const theirs = good.filter(({ recipients }) => recipients!.some((one) => keyOf(one) === key));
      if (theirs.length === 0) continue;
      const starts = theirs.map(({ startTime }) => startTime!).sort();
      rows.push(
        [scheduleId, key, starts[0], starts.at(-1), theirs.length, theirs.includes(newest!)].join(),
      );
    }
  }
  return rows.sort();
}

Deno.test("recipientSpans: of random histories, every span is what an oracle says", () => {
  const random = randomFrom(29);
  for (let at = 0; at < 1000; at++) {
    const histories = new Map([1, 2].map((id) => [id, anyHistory(random)] as const));
    const spans = recipientSpans(histories);
    assertEquals(
      spans.map(({ scheduleId, userId, emailAddress, first, last, runs, receiving }) =>
        [scheduleId, userId ?? emailAddress!.toLowerCase(), first, last, runs, receiving].join()
      ).sort(),
      oracle(histories),
      `history ${at}`,
    );
  }
});

Deno.test("recipientSpans: the meaning of statuses can be given", () => {
  const run = { id: 1, startTime: "2026-01-01T00:00:00Z", recipients: [{ userId: 1 }] };
  const histories = new Map([[1, [{ ...run, status: "archived" }]]]);
  assertEquals(recipientSpans(histories), []);
  assertEquals(recipientSpans(histories, { Archived: "good" }).length, 1);
});
