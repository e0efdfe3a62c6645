import { assertEquals } from "@std/assert";
import { readRecentSchedules, writeVisit } from "../../../server/schedules/recent_schedules.ts";

/** What is remembered after visits, one after the other. */
function visited(...scheduleIds: readonly number[]): readonly number[] {
  return scheduleIds.reduce<readonly number[]>((recent, scheduleId) => {
    const headers = new Headers();
    writeVisit(headers, { scheduleId, recent, secure: false });
    return readFrom(headers.getSetCookie()[0].split(";")[0]);
  }, []);
}

function readFrom(cookie: string): readonly number[] {
  return readRecentSchedules(new Headers(cookie ? { cookie } : {}));
}

Deno.test("writeVisit: the schedule comes first, and once", () => {
  assertEquals(visited(101, 102, 103, 102), [102, 103, 101]);
});

Deno.test("writeVisit: twelve are kept", () => {
  const ids = Array.from({ length: 20 }, (_, index) => 101 + index);
  assertEquals(visited(...ids), ids.toReversed().slice(0, 12));
});

Deno.test("readRecentSchedules: what is no id is left out", () => {
  assertEquals(readFrom("docket_recent=101.x.-3.101.1e99.0.102"), [101, 0, 102]);
  assertEquals(readFrom(""), []);
});
