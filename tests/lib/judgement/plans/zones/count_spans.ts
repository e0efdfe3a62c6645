import { clockOf } from "../../../../../lib/zone_clock.ts";

/** How often slots were made in a zone, and of how many days, while something was worked out. */
export async function countSpans(
  zone: string,
  work: () => unknown,
): Promise<{ calls: number; days: number }> {
  const clock = clockOf(zone);
  const { spans } = clock;
  const counted = { calls: 0, days: 0 };
  clock.spans = (from, to) => {
    counted.calls++;
    counted.days += (to - from) / 86_400_000;
    return spans(from, to);
  };
  try {
    await work();
  } finally {
    clock.spans = spans;
  }
  return counted;
}
