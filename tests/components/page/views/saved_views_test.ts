import { assertEquals } from "@std/assert";
import {
  deleteView,
  readSavedViews,
  saveView,
} from "../../../../components/page/views/saved_views.ts";

/** A browser's storage, in memory. */
function storage(initial?: string): Storage {
  const items = new Map(initial === undefined ? [] : [["docket.views", initial]]);
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as unknown as Storage;
}

Deno.test("saveView: keeps views by name, and replaces one of the same name", () => {
  const kept = storage();
  saveView(kept, { name: "Payroll", href: "/filesets?filter=name:LIKE:pay" });
  saveView(kept, { name: "All", href: "/filesets" });
  saveView(kept, { name: "Payroll", href: "/filesets?filter=name:LIKE:payroll" });
  assertEquals(readSavedViews(kept), [
    { name: "All", href: "/filesets" },
    { name: "Payroll", href: "/filesets?filter=name:LIKE:payroll" },
  ]);
});

Deno.test("deleteView: forgets one and keeps the others", () => {
  const kept = storage();
  saveView(kept, { name: "a", href: "/filesets" });
  saveView(kept, { name: "b", href: "/filesets" });
  assertEquals(deleteView(kept, "a"), [{ name: "b", href: "/filesets" }]);
});

Deno.test("readSavedViews: what can't be a saved view is passed over", () => {
  assertEquals(readSavedViews(storage("not JSON")), []);
  assertEquals(readSavedViews(storage('{"name":"a"}')), []);
  const junk = [
    null,
    { name: 1, href: "/filesets" },
    { name: "evil", href: "javascript:alert(1)" },
    { name: "elsewhere", href: "https://other.example/filesets" },
    { name: "good", href: "/filesets?limit=25" },
  ];
  assertEquals(readSavedViews(storage(JSON.stringify(junk))), [
    { name: "good", href: "/filesets?limit=25" },
  ]);
});
