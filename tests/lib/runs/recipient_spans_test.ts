import { assertEquals } from "@std/assert";
import { DAY } from "../../../lib/time_units.ts";
import { recipientSpans } from "../../../lib/runs/recipient_spans.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";

const at = (day: number) => new Date(day * DAY).toISOString();

function run(id: number, day: number, recipients: readonly Recipient[], more = {}): ReportRun {
  return { id, startTime: at(day), status: "success", recipients, ...more };
}

const ADA = { userId: 1, displayName: "Ada", emailAddress: "ada@x.example" };
const BOB = { emailAddress: "bob@x.example" };

Deno.test("recipientSpans: who received each schedule since when, as the newest run names them", () => {
  const renamed = { ...ADA, displayName: "Ada B.", emailAddress: "ADA@x.example" };
  const spans = recipientSpans(
    new Map([
      [9, [run(1, 4, [BOB, { emailAddress: ADA.emailAddress }])]],
      [7, [
        // Of two runs at the same time, the second is newer.
        run(6, 3, [renamed, { displayName: "Somebody" }]),
        run(5, 3, [ADA, BOB, { emailAddress: "Bob@x.example" }]),
        run(3, 2, [BOB]),
        run(4, 2, [ADA]),
      ]],
    ]),
  );
  const bob = { userId: null, displayName: null, ...BOB };
  const once = { first: at(4), last: at(4), runs: 1, receiving: true };
  const since = { first: at(2), last: at(3), runs: 2 };
  assertEquals(spans, [
    { scheduleId: 7, ...bob, ...since, receiving: false },
    { scheduleId: 7, ...renamed, first: at(2), last: at(3), runs: 3, receiving: true },
    { scheduleId: 9, ...bob, ...once },
    // An address is the person whose user id comes with it elsewhere.
    { scheduleId: 9, ...ADA, displayName: null, ...once },
  ]);
});

Deno.test("recipientSpans: runs that failed, or lack a start or a list, say nothing", () => {
  const runs = [
    run(1, 1, [ADA]),
    run(2, 2, [BOB], { status: "failure" }),
    run(3, 3, [BOB], { status: "odd" }),
    run(4, 4, [BOB], { startTime: null }),
    run(5, 5, [], { recipients: null }),
  ];
  const [span, ...others] = recipientSpans(new Map([[7, runs]]));
  assertEquals([span.userId, span.receiving, others], [1, true, []]);
  // The meaning of statuses can be passed.
  assertEquals(recipientSpans(new Map([[7, runs]]), { Odd: "good", success: "good" }).length, 2);
});
