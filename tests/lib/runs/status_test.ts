import { assertEquals, assertThrows } from "@std/assert";
import {
  defaultStatusDictionary,
  meaningOf,
  parseStatuses,
  readStatuses,
  unknownStatuses,
} from "../../../lib/runs/status.ts";

Deno.test("meaningOf: ignores case, takes _ and - as blanks; all else is unknown", () => {
  const dictionary = { ...defaultStatusDictionary(), "Timed-Over": "bad" } as const;
  const statuses = ["COMPLETED", "Failed", "IN_PROGRESS", "timed-out", "_done_", "timed  over"];
  assertEquals(statuses.map((status) => meaningOf(status, dictionary)), [
    ...["good", "bad", "pending", "bad", "good", "bad"],
  ]);
  const others = ["paused", "", "__proto__", "toString", null, undefined];
  const meanings = others.map((status) => meaningOf(status, dictionary));
  assertEquals([...new Set(meanings), meaningOf("success", {})], ["unknown", "unknown"]);
});

Deno.test("unknownStatuses: counts runs that are over, most frequent first", () => {
  const endTime = "2026-01-01T00:00:00Z";
  const runs = [
    { status: "ARCHIVED" },
    { status: "archived", endTime },
    { endTime },
    { endTime: null },
    { status: "running" },
    { status: "failed", endTime },
    { status: "success" },
  ];
  assertEquals(unknownStatuses(runs), [{ status: "ARCHIVED", runs: 2 }, { status: null, runs: 1 }]);
  // Where several runs have neither an end nor a status, they are not all still going.
  assertEquals(unknownStatuses([{}, {}, {}]), [{ status: null, runs: 3 }]);
});

Deno.test("parseStatuses: reads what people write, and names everything that is wrong at once", () => {
  assertEquals(parseStatuses(" Archived = good; a=b=bad ,"), { archived: "good", "a=b": "bad" });
  const { message } = assertThrows(() => parseStatuses("done, a=fine,B-c=bad,b_c=good"), TypeError);
  for (const part of ['"done" has no meaning', '"a" can\'t mean "fine"', '"b_c" is listed twice']) {
    assertEquals(message.includes(part), true, message);
  }
  assertThrows(() => parseStatuses(","), TypeError, "must be a list");
});

Deno.test("readStatuses: says which pair is wrong, and reads the others", () => {
  const pairs = [["ok", "good"], [7, "good"], ["x".repeat(201), "bad"], ["OK", "bad"]] as const;
  const { statuses, faults } = readStatuses(pairs);
  // What has no text is no meaning of runs without a status.
  assertEquals([statuses.ok, statuses[""]], ["good", undefined]);
  assertEquals(faults.map(({ at }) => at), [1, 2, 3]);
});
