import { assertEquals } from "@std/assert";
import { readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";

Deno.test("readScheduleIds: each id once, from ids and ranges, or everything that is wrong", () => {
  const most = Array.from({ length: 5000 }, (_, at) => at + 1);
  const read: [list: string | number[], ids: number[]][] = [
    ["101, 102;101\n103-104 9–10", [9, 10, 101, 102, 103, 104]],
    [[7, 7, 8], [7, 8]],
    [" ", []],
    ["1-5000 4000-5000", most],
  ];
  for (const [list, ids] of read) assertEquals(readScheduleIds(list), { ids, issue: null });
  assertEquals(
    readScheduleIds("103 x -4 1.5 103-101 1-2-3 99999999999999999999").issue,
    'must be ids and ranges such as 101,105-112, not "x", "-4", "1.5", "103-101", "1-2-3", ' +
      '"99999999999999999999". A schedule id is a whole number from 0 to 9007199254740991',
  );
  for (const list of ["1-5001", "1-9007199254740991", "1-3000 5000-9000"]) {
    const issue = "must be at most 5,000 schedules at once";
    assertEquals(readScheduleIds(list), { ids: [], issue });
  }
});
