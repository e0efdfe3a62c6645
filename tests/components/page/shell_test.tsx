import { assertEquals, assertMatch } from "@std/assert";
import { formatIssue } from "../../../components/page/error_message.ts";
import { MainNavigation, Shell } from "../../../components/page/shell.tsx";
import { htmlOf, linksOf, textOf } from "../rendered.ts";

/** The links that are marked as the present page, or as its section. */
function current(pathname: string): string[] {
  const html = htmlOf(<MainNavigation pathname={pathname} />);
  const marked = html.matchAll(/<a [^>]*aria-current="(\w+)"[^>]*>(.*?)<\/a>/gs);
  return [...marked].map(([, mark, name]) => `${textOf(name)}: ${mark}`);
}

Deno.test("MainNavigation: marks the current page, or else its section", () => {
  assertEquals(current("/"), ["Today: page"]);
  assertEquals(current("/schedules"), ["Schedules: page"]);
  assertEquals(current("/schedules/102/plan"), ["Schedules: true"]);
  assertEquals(current("/schedules-of-others"), []);
  assertEquals(current("/preferences"), ["Preferences: page"]);
});

Deno.test("Shell: has a link to the content, and says that the data is in memory", () => {
  const shell = (inMemory: boolean) =>
    htmlOf(<Shell theme="dark" section="runs" inMemory={inMemory}>Content</Shell>);
  const plain = shell(false);
  assertEquals(linksOf(plain), { "Skip to content": "#main", "Docket": "/" });
  assertMatch(plain, /<main id="main" class="runs" tabindex="-1">Content<\/main>/);
  const banner = /Sample data in memory\. Changes are lost on restart.*Set DATABASE_URL to keep/;
  assertEquals([plain, shell(true)].map((html) => banner.test(textOf(html))), [false, true]);
});

Deno.test("formatIssue: names the place, counted from one", () => {
  const detail = "must be a text";
  assertEquals(formatIssue({ detail }), detail);
  assertEquals(formatIssue({ parameter: "limit", pointer: "/x", detail }), `limit: ${detail}`);
  assertEquals(
    formatIssue({ pointer: "/filters/0/field", detail }),
    `condition 1 field: ${detail}`,
  );
  assertEquals(formatIssue({ pointer: "/dateFilters/9", detail }), `date condition 10: ${detail}`);
  assertEquals(formatIssue({ pointer: "/fieldSort", detail }), `sort key: ${detail}`);
  assertEquals(
    formatIssue({ parameter: "limit", detail: "limit must be 1 or more" }),
    "limit must be 1 or more",
  );
});
