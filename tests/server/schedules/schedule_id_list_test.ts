import { assertEquals } from "@std/assert";
import { readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";

Deno.test("readScheduleIds: each id once, from ids and ranges", () => {
  assertEquals(readScheduleIds("101, 102;101\n103-104 9–10").ids, [9, 10, 101, 102, 103, 104]);
  assertEquals(readScheduleIds([7, 7, 8]), { ids: [7, 8], issue: null });
  assertEquals(readScheduleIds(" "), { ids: [], issue: null });
  assertEquals(readScheduleIds("1001-1300").ids.length, 300);
  const most = Array.from({ length: 5000 }, (_, at) => at + 1);
  assertEquals(readScheduleIds("1-5000 4000-5000"), { ids: most, issue: null });
});

Deno.test("readScheduleIds: names everything that is wrong, and then has no ids", () => {
  const rule = "A schedule id is a whole number from 0 to 9007199254740991";
  assertEquals(readScheduleIds("103 x -4 1.5 103-101 1-2-3 99999999999999999999"), {
    ids: [],
    issue: 'must be ids and ranges such as 101,105-112, not "x", "-4", "1.5", "103-101", ' +
      `"1-2-3", "99999999999999999999". ${rule}`,
  });
  for (const list of ["1-5001", "1-9007199254740991", "1-3000 5000-9000"]) {
    const issue = "must be at most 5,000 schedules at once";
    assertEquals(readScheduleIds(list), { ids: [], issue });
  }
});
