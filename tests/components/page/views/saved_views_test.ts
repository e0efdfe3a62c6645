import { assertEquals } from "@std/assert";
import {
  canBeDefault,
  readDefaultView,
  readSavedViews,
  type SavedView,
  viewHref,
  withView,
} from "../../../../components/page/views/saved_views.ts";

/** A browser's storage that holds these views. */
function storage(views: string) {
  return { getItem: (key: string) => key === "docket.views" ? views : null };
}

const view = (name: string): SavedView => ({ name, href: `/filesets?q=${name}` });
const names = (views: readonly SavedView[]) => views.map(({ name }) => name).join();
const abc = ["a", "b", "c"].map(view);

Deno.test("readSavedViews: skips what can't be a saved view", () => {
  assertEquals(readSavedViews(storage("not JSON")), []);
  assertEquals(readSavedViews(storage('{"name":"a"}')), []);
  const junk = [
    null,
    { name: 1, href: "/filesets" },
    { name: "evil", href: "javascript:alert(1)" },
    { name: "elsewhere", href: "https://other.example/filesets" },
    { name: "near", href: "/filesets-of-others" },
    { name: "good", href: "/filesets?limit=25", more: "yes" },
    { name: "runs", href: "/schedules/102?status=failure" },
  ];
  assertEquals(readSavedViews(storage(JSON.stringify(junk))), [
    { name: "good", href: "/filesets?limit=25" },
    { name: "runs", href: "/schedules/102?status=failure" },
  ]);
});

Deno.test("withView: adds a new view at the end, or replaces the one with the same name", () => {
  assertEquals(names(withView(abc, view("d"))), "a,b,c,d");
  const replaced = withView(abc, { name: "b", href: "/filesets?q=new" });
  assertEquals(names(replaced), "a,b,c");
  assertEquals(names(withView(abc, view("a"))), "a,b,c");
  assertEquals(replaced[1], { name: "b", href: "/filesets?q=new" });
});

Deno.test("viewHref: links to the first page of a search, with nothing open", () => {
  const href = (pathname: string, search: string) => viewHref({ pathname, search });
  assertEquals(
    href("/filesets", "?q=owner:Legal+-payroll&limit=25&offset=50&open=abc&new-field=name"),
    "/filesets?q=owner:Legal+-payroll&limit=25",
  );
  assertEquals(href("/filesets", "?open=abc"), "/filesets");
  assertEquals(href("/schedules/102", "?sort=startTime&skip=100"), "/schedules/102?sort=startTime");
  assertEquals(href("/schedules/102", ""), "/schedules/102");
});

Deno.test("readDefaultView: accepts a search for file sets, and nothing else", () => {
  assertEquals(readDefaultView(encodeURIComponent("/filesets?q=ü")), "/filesets?q=ü");
  const junk = [undefined, "", "%", "/filesets", "/people?a=b", "//evil.example/filesets?a=b"];
  for (const value of [...junk, "/filesets?a=b#c", "/filesets?a=\\b"]) {
    assertEquals(readDefaultView(value), null, value);
  }
});

Deno.test("canBeDefault: accepts searches for file sets that fit into a cookie", () => {
  const views = [
    "/filesets?q=a",
    "/filesets",
    "/schedules/101?q=a",
    `/filesets?q=${"a".repeat(990)}`,
  ];
  assertEquals(views.map((href) => canBeDefault({ name: "a", href })), [true, false, false, false]);
});
