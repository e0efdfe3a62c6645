import { assertEquals } from "@std/assert";
import { FacetsPanel } from "../../../../components/file_sets/facets_panel.tsx";
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
  const text = (
    start: number,
    count: number,
    total: number | null,
    all: number | null,
    view = NONE,
  ) => {
    const position = { start, count, limit: 100, total };
    return textOf(htmlOf(<Result {...{ view, position, all }} zone="UTC" />));
  };
  assertEquals(
    text(0, 37, 37, 1204, OWNER),
    "37 of 1,204 file sets, owner is not 27, by created, descending, 1 to 37 shown",
  );
  assertEquals(text(100, 100, 5000, null), "5,000 file sets, 101 to 200 shown");
  assertEquals(text(0, 1, 1, null), "1 file set, 1 shown");
  assertEquals(text(0, 1, 1, 2), "1 of 2 file sets, 1 shown");
  assertEquals(text(0, 1, 1, 1), "1 of 1 file set, 1 shown");
  assertEquals(text(0, 0, 0, null), "0 file sets, none shown");
  assertEquals(text(900, 0, 37, null), "37 file sets, none on this page");
  assertEquals(text(0, 3, null, null), "1 to 3 shown");
});

Deno.test("toPosition: uses the service's position, or else the requested one", () => {
  const page = (pageContext: object) => ({ fileSets: [{}], pageContext }) as never;
  assertEquals(
    toPosition(page({ offset: 50, limit: 25, total: 70 }), { ...NONE, offset: 60, limit: 10 }),
    { start: 50, count: 1, limit: 25, total: 70 },
  );
  assertEquals(toPosition(page({}), { ...NONE, offset: 60, limit: 10 }), {
    start: 60,
    count: 1,
    limit: 10,
    total: null,
  });
  assertEquals(toPosition(page({}), NONE).start, 0);
});

Deno.test("FacetsPanel: says nothing of no rows", () => {
  const panel = <FacetsPanel facets={{ facets: [], rows: 0 }} view={NONE} zone="UTC" />;
  assertEquals(textOf(htmlOf(panel)), "");
});
