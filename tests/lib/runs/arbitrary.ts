/** Runs as the interface allows them: anything but the id may be missing, null or odd. */
import fc from "fast-check";
import type { Recipient, ReportRun } from "../../../lib/types.ts";

function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> {
  return fc.oneof({ weight: 5, arbitrary: value }, fc.constantFrom(null, undefined));
}

const moment = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.date({
      min: new Date("2026-01-01T00:00:00Z"),
      max: new Date("2026-03-01T00:00:00Z"),
      noInvalidDate: true,
    }).map((date) => date.toISOString()),
  },
  fc.constantFrom("", "soon", "2026-02-30T00:00:00", "2026-02-01"),
);

const recipient: fc.Arbitrary<Recipient> = fc.record({
  userId: maybe(fc.integer({ min: 1, max: 9 })),
  displayName: maybe(fc.string({ maxLength: 4 })),
  emailAddress: maybe(fc.constantFrom("a@example.com", "b@example.org", "nobody", "@", "")),
});

export const anyRun: fc.Arbitrary<ReportRun> = fc.record({
  id: fc.integer({ min: -3, max: 200 }),
  reportTitle: maybe(fc.constantFrom("Daily revenue", "", "Stock")),
  startTime: maybe(moment),
  endTime: maybe(moment),
  automated: maybe(fc.boolean()),
  attachmentCount: maybe(fc.integer({ min: -1, max: 3 })),
  attachmentSize: maybe(fc.integer({ min: -5, max: 1_000_000 })),
  emailSize: maybe(fc.integer({ min: 0, max: 100 })),
  status: maybe(fc.constantFrom("success", "FAILURE", "paused", "", "__proto__")),
  recipientCount: maybe(fc.integer({ min: 0, max: 5 })),
  recipients: maybe(fc.array(recipient, { maxLength: 4 })),
});

export const anyRuns: fc.Arbitrary<ReportRun[]> = fc.array(anyRun, { maxLength: 60 });
