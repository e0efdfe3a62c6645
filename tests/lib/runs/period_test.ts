import { assertEquals } from "@std/assert";
import { summarizePeriod } from "../../../lib/runs/period.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";

const DAY = 86_400_000;
const PERIOD = { start: 0, end: 3 * DAY };
const iso = (time: number) => new Date(time).toISOString();
const summaryOf = (...runs: Parameters<typeof summarizePeriod>[0]) =>
  summarizePeriod(runs, PERIOD, defaultStatusDictionary());

Deno.test("summarizePeriod: counts the runs that started in it, its start included and its end not", () => {
  const times = [-1, 0, DAY, 3 * DAY - 1, 3 * DAY];
  const runs = times.map((time, id) => ({ id, startTime: iso(time) }));
  assertEquals(summaryOf(...runs, { id: 9 }).runs, 3);
});

Deno.test("summarizePeriod: shares of statuses, medians of sizes and durations, and everybody listed", () => {
  const runs = [["failure", 10, 60], ["success", 20, 30], ["success", 60, 90], [
    null,
    0,
    0,
  ]] as const;
  const { statuses, failed, p50, p95, attachmentSize, emailSize, recipients } = summaryOf(
    ...runs.map(([status, size, seconds], id) => ({
      id,
      status,
      startTime: iso(id),
      endTime: iso(id + 1000 * seconds),
      attachmentSize: size,
      emailSize: id === 0 ? null : 2 * size,
      recipients: id < 2 ? [{ userId: 7 + id }, { userId: 7 }] : null,
    })),
  );
  assertEquals([...statuses], [["success", 2], ["failure", 1], ["", 1]]);
  assertEquals([failed, p50, Math.round(p95!)], [1 / 3, 45_000, 85_500]);
  assertEquals([attachmentSize, emailSize], [15, 40]);
  assertEquals([...recipients!.values()].map(({ userId }) => userId), [7, 8]);
});

Deno.test("summarizePeriod: what no run says is null", () => {
  const { failed, p50, p95, attachmentSize, emailSize, recipients } = summaryOf({
    id: 1,
    startTime: iso(1),
    status: "paused",
  });
  assertEquals(
    [failed, p50, p95, attachmentSize, emailSize, recipients],
    Array(6).fill(null),
  );
});
