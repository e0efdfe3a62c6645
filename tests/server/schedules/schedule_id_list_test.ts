import { assertEquals } from "@std/assert";
import {
  cutList,
  parseScheduleIds,
  scheduleIdsIssue,
} from "../../../server/schedules/schedule_id_list.ts";

const fifty = Array.from({ length: 50 }, (_, index) => 1 + index);

Deno.test("parseScheduleIds: each id once, what is none, and that there are too many", () => {
  assertEquals(parseScheduleIds("101, 102;101\n103 x -4 1.5 99999999999999999999"), {
    ids: [101, 102, 103],
    invalid: ["x", "-4", "1.5", "99999999999999999999"],
    isCut: false,
  });
  assertEquals(parseScheduleIds([...fifty, 60, 61].join(",")), {
    ids: fifty,
    invalid: [],
    isCut: true,
  });
  assertEquals(parseScheduleIds(" "), { ids: [], invalid: [], isCut: false });
});

Deno.test("parseScheduleIds: ranges, unless they are reversed or too long", () => {
  assertEquals(parseScheduleIds("101-103, 103-104").ids, [101, 102, 103, 104]);
  assertEquals(parseScheduleIds("7-7 9–10").ids, [7, 9, 10]);
  assertEquals(parseScheduleIds("1-60"), { ids: fifty, invalid: [], isCut: true });
  assertEquals(parseScheduleIds("103-101 1-2000000 1-x 1-2-3"), {
    ids: [],
    invalid: ["103-101", "1-2000000", "1-x", "1-2-3"],
    isCut: false,
  });
});

Deno.test("parseScheduleIds: counts a repeated id once, and reads no more than it returns", () => {
  assertEquals(parseScheduleIds("1-50 1-50 50"), { ids: fifty, invalid: [], isCut: false });
  const { ids, isCut } = parseScheduleIds("1-1000 ".repeat(10_000));
  assertEquals([ids, isCut], [fifty, true]);
});

Deno.test("parseScheduleIds: reads no half of an id at the end of a text that is too long", () => {
  const { ids, invalid, isCut } = parseScheduleIds(`${"1 ".repeat(2499)}23456 7`);
  assertEquals([ids, invalid, isCut], [[1], [], true]);
  assertEquals(cutList("1-1000 1-1000", 9), "1-1000 ");
  assertEquals(cutList("1-1000", 7), "1-1000 ");
  // A long part is no id, and is still shown.
  assertEquals(cutList("x".repeat(99), 60), "x".repeat(27));
});

Deno.test("scheduleIdsIssue: none, or what is allowed and what was wrong", () => {
  const issueOf = (text: string) => scheduleIdsIssue(parseScheduleIds(text));
  const allowed = "must be at most 50 ids and ranges such as 101,105-112";
  assertEquals(issueOf("101 105-112"), undefined);
  assertEquals(issueOf("1-60"), allowed);
  assertEquals(issueOf("x 101 3-1"), `${allowed}, not "x, 3-1"`);
});
