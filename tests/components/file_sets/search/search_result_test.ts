import { assertEquals } from "@std/assert";
import { toPosition } from "../../../../components/file_sets/found_file_sets.tsx";

Deno.test("toPosition: uses the service's position, or else the requested one", () => {
  const at = (pageContext: object, view: object) =>
    toPosition({ fileSets: [{}], pageContext } as never, { body: {}, ...view });
  const own = { start: 50, count: 1, limit: 25, total: 70 };
  const requested = { offset: 60, limit: 10 };
  assertEquals(at({ offset: 50, limit: 25, total: 70 }, requested), own);
  assertEquals(at({}, requested), { start: 60, count: 1, limit: 10, total: null });
  assertEquals(at({}, {}).start, 0);
});
