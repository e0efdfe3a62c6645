import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { NO_START, partsOf, textOf } from "../../../../server/store/ledger/run_parts.ts";

const time = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000_000 }).map((ms) => new Date(ms).toISOString()),
  fc.integer({ min: 0, max: 2_000_000_000 }).map((s) =>
    new Date(s * 1000).toISOString().replace(".000Z", "Z")
  ),
  fc.constantFrom("2026-11-18T05:00:00+01:00", "", "soon", null, 5),
);
const run = fc.record({
  id: fc.nat(),
  reportTitle: fc.oneof(fc.string(), fc.constant(null)),
  reportSubject: fc.oneof(fc.string(), fc.constant("same"), fc.constantFrom(null, 0)),
  startTime: time,
  endTime: time,
  attachmentSize: fc.oneof(fc.integer(), fc.constantFrom(null, "5", 1.5)),
  emailSize: fc.nat(),
  status: fc.constantFrom("success", "\0", "\ud800", null, 1, ""),
  extra: fc.anything({ withNullPrototype: false }).map((value) => JSON.stringify(value) ?? null),
  recipients: fc.oneof(
    fc.array(fc.record({ userId: fc.nat(), displayName: fc.string() }, { requiredKeys: [] })),
    fc.constantFrom(null, "nobody"),
  ),
}, { requiredKeys: ["id"] });

Deno.test("textOf: a run put together from its parts is the same JSON", () => {
  fc.assert(
    fc.property(run, (given) => {
      const text = JSON.stringify(given);
      const read = JSON.parse(text);
      const start = Date.parse(read.startTime);
      const { recipients, template, ...parts } = partsOf(read, Number.isNaN(start) ? null : start);
      assertEquals(parts.start, Number.isNaN(start) ? NO_START : start);
      const pieces = JSON.parse(template);
      assertEquals(textOf({ ...parts, template: pieces }, `[${recipients ?? ""}]`), text);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("partsOf: a usual run has little of its own", () => {
  const own = partsOf({
    id: 1,
    reportTitle: "Daily revenue",
    reportSubject: "Daily revenue",
    startTime: "2026-11-18T05:00:00.000Z",
    endTime: "2026-11-18T05:00:31.000Z",
    attachmentSize: 180_000,
    emailSize: 24_000,
    status: "success",
    recipients: [],
  }, Date.parse("2026-11-18T05:00:00.000Z"));
  assertEquals(own.runValues, "[1,31001,180000,24000]");
});
