import { assertEquals } from "@std/assert";
import type { Backend } from "../../../../lib/client/backend.ts";
import { hasSample, STORIES } from "../../../../server/store/sample/stories.ts";

Deno.test("hasSample: is true if the newest runs of the first and last story have their titles", async () => {
  const has = (titleOf: (scheduleId: number) => string | undefined) => {
    const history = (scheduleId: number) => {
      const reportTitle = titleOf(scheduleId);
      return reportTitle === undefined
        ? Promise.reject(new Error("no such schedule"))
        : Promise.resolve(reportTitle === "" ? [] : [{ reportTitle }]);
    };
    return hasSample({ reportSchedules: { history } } as never as Backend);
  };
  const titles = new Map(STORIES.map(({ scheduleId, title }) => [scheduleId, title]));
  assertEquals(await has((id) => titles.get(id)), true);
  assertEquals(await has((id) => id < 104 ? titles.get(id) : undefined), false);
  assertEquals(await has(() => "Payroll"), false);
  assertEquals(await has(() => ""), false);
  assertEquals(await has(() => undefined), false);
});
