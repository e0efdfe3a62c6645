import { assertEquals } from "@std/assert";
import {
  type Entry,
  grouped,
  pageEntries,
  scheduleEntries,
  scheduleEntry,
  searchEntries,
} from "../../../../components/page/go/entries.ts";

const names = (entries: readonly Entry[]) => entries.map(({ name }) => name);

Deno.test("pageEntries: all pages without a text, otherwise pages with all of its words", () => {
  assertEquals(pageEntries("").length, 11);
  assertEquals(names(pageEntries("SETS file")), ["File sets"]);
  assertEquals(names(pageEntries("s ")).includes("Today"), false);
  assertEquals(pageEntries("nothing of this"), []);
});

Deno.test("scheduleEntries: a typed id finds its schedule, watched or not", () => {
  const claims = scheduleEntry(102, "Claims", "failing");
  assertEquals(claims, {
    group: "Schedules",
    name: "102 Claims",
    href: "/schedules/102",
    note: "failing",
  });
  assertEquals(names(scheduleEntries("claims", [claims])), ["102 Claims"]);
  assertEquals(names(scheduleEntries("102", [claims])), ["102 Claims"]);
  assertEquals(scheduleEntries("10", [claims]).map(({ name, href }) => [name, href]), [
    ["Schedule 10", "/schedules/10"],
    ["102 Claims", "/schedules/102"],
  ]);
  for (const text of ["0", "-1", "1.5", "9".repeat(16)]) {
    assertEquals(scheduleEntries(text, []), [], text);
  }
});

Deno.test("searchEntries: any text can be searched for in file sets", () => {
  assertEquals(searchEntries(""), []);
  assertEquals(names(searchEntries("pay")), ["Search file sets for “pay”"]);
  assertEquals(searchEntries("R&D 50%").map(({ href }) => href), ["/filesets?q=R%26D+50%25"]);
});

Deno.test("grouped: schedules, people, pages, and then the search", () => {
  const groups = ["Search", "Pages", "People", "Schedules"] as const;
  const entries = groups.map((group): Entry => ({ group, name: "", href: "" }));
  assertEquals(grouped(entries).map(([group]) => group), groups.toReversed());
});
