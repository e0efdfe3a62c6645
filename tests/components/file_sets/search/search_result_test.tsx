import { assertEquals } from "@std/assert";
import { Result, toPosition } from "../../../../components/file_sets/search/search_result.tsx";
import { htmlOf, textOf } from "../../rendered.ts";
import type { ShownSearch } from "../../../../components/search/page_view.ts";

const NONE: ShownSearch = { body: {} };
const OWNER: ShownSearch = {
  body: {
    filters: [{ field: "owner", operator: "EQUALS", value: ["27"], not: true }],
    fieldSort: [{ field: "created", order: "DESC" }],
  },
};

Deno.test("Result: says what matches of all, and what is shown", () => {
  const cases = [
    [900, 0, 37, null, "37 file sets, none on this page"],
    [100, 100, 5000, null, "5,000 file sets, 101 to 200 shown"],
    [0, 1, 1, null, "1 file set, 1 shown"],
    [0, 1, 1, 2, "1 of 2 file sets, 1 shown"],
    [0, 1, 1, 1, "1 of 1 file set, 1 shown"],
    [0, 0, 0, null, "0 file sets, none shown"],
    [0, 3, null, null, "1 to 3 shown"],
  ] as const;
  const text = (start: number, count: number, total: number | null, more: object) => {
    const position = { start, count, limit: 100, total };
    return textOf(htmlOf(<Result view={NONE} all={null} zone="UTC" {...{ position, ...more }} />));
  };
  for (const [start, count, total, all, words] of cases) {
    assertEquals(text(start, count, total, { all }), words);
  }
  assertEquals(
    text(0, 37, 37, { view: OWNER, all: 1204 }),
    "37 of 1,204 file sets, owner is not 27, by created, descending, 1 to 37 shown",
  );
});

Deno.test("toPosition: uses the service's position, or else the requested one", () => {
  const at = (pageContext: object, view: object) =>
    toPosition({ fileSets: [{}], pageContext } as never, { ...NONE, ...view });
  const own = { start: 50, count: 1, limit: 25, total: 70 };
  const asked = { offset: 60, limit: 10 };
  assertEquals(at({ offset: 50, limit: 25, total: 70 }, asked), own);
  assertEquals(at({}, asked), { start: 60, count: 1, limit: 10, total: null });
  assertEquals(at({}, {}).start, 0);
});
