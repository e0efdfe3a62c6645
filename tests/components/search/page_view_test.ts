import { assertEquals } from "@std/assert";
import { sortedAlsoBy, sortedBy } from "../../../components/search/page_view.ts";
import type { FieldSort } from "../../../lib/types.ts";

const name = (order: FieldSort["order"]) => ({ field: "name", order });
const owner = { field: "owner", order: "DESC" } as const;

Deno.test("sortedBy: ascending, descending, then not at all", () => {
  const cases: [FieldSort[], FieldSort[], FieldSort[]][] = [
    [[], [name("ASC")], [name("ASC")]],
    [[name("ASC")], [name("DESC")], [name("DESC")]],
    [[name("DESC")], [], []],
    [[owner], [name("ASC")], [owner, name("ASC")]],
    [[name("ASC"), owner], [name("ASC")], [name("DESC"), owner]],
    [[owner, name("DESC")], [name("ASC")], [owner]],
  ];
  for (const [fieldSort, alone, among] of cases) {
    const view = { body: { fieldSort }, offset: 20 };
    assertEquals(sortedBy(view, "name"), { body: { fieldSort: alone } } as typeof view);
    assertEquals(sortedAlsoBy(view, "name"), { body: { fieldSort: among } } as typeof view);
  }
});
