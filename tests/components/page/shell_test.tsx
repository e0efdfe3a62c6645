import { assert, assertEquals, assertMatch } from "@std/assert";
import { formatIssue } from "../../../components/page/error_message.ts";
import { Footer, MainNavigation, Shell } from "../../../components/page/shell.tsx";
import { ShortcutHelp } from "../../../components/page/shortcut_help.tsx";
import { htmlOf, linksOf, textOf, textsOf } from "../rendered.ts";

function navigation(
  pathname: string,
  openIncidents: number | null = null,
  key: string | null = null,
) {
  return htmlOf(
    <MainNavigation
      pathname={pathname}
      zone="Berlin time"
      person="Ada · reader"
      openIncidents={openIncidents}
      goKey={key}
    />,
  );
}

/** The links that are marked as the present page, or as its section. */
function current(pathname: string): string[] {
  const marked = navigation(pathname).matchAll(/<a [^>]*aria-current="(\w+)"[^>]*>(.*?)<\/a>/gs);
  return [...marked].map(([, mark, name]) => `${textOf(name)}: ${mark}`);
}

Deno.test("MainNavigation: links to every section, has a menu of the rest, and signs out", () => {
  const html = navigation("/elsewhere");
  assertEquals(linksOf(html), {
    "Today": "/",
    "Schedules": "/schedules",
    "People": "/people",
    "File sets": "/filesets",
    "Incidents": "/incidents",
    "Berlin time": "/preferences",
    "Owners": "/owners",
    "Service": "/service",
    "Preferences": "/preferences",
  });
  assertEquals(textsOf(html, "p"), ["Ada · reader"]);
  assertEquals(textsOf(html, "button"), ["Sign out"]);
  assertMatch(html, /<form method="post" action="\/sign-out"/);
  assertMatch(html, /<form action="\/go" role="search"/);
  assertMatch(html, /<nav aria-label="Main"/);
});

Deno.test("MainNavigation: marks the current page, or else its section", () => {
  assertEquals(current("/"), ["Today: page"]);
  assertEquals(current("/schedules"), ["Schedules: page"]);
  assertEquals(current("/schedules/102/plan"), ["Schedules: true"]);
  assertEquals(current("/schedules-of-others"), []);
  assertEquals(current("/preferences"), ["Preferences: page"]);
});

Deno.test("MainNavigation: counts open incidents, and names the key of Go to where there is one", () => {
  const pills = (count: number) => textsOf(navigation("/", count), "span");
  assertEquals([3, 0].map(pills), [["3 open"], []]);
  assertEquals(textsOf(navigation("/", null, "Ctrl K"), "kbd"), ["Ctrl K"]);
  assertEquals(textsOf(navigation("/"), "kbd"), []);
});

Deno.test("Shell: has a link to the content, and says that the data is in memory", () => {
  const shell = (inMemory: boolean, footer?: string) =>
    htmlOf(
      <Shell theme="dark" density="compact" section="runs" inMemory={inMemory} footer={footer}>
        Content
      </Shell>,
    );
  assertEquals(linksOf(shell(false)), { "Skip to content": "#main", "Docket": "/" });
  assertMatch(shell(false), /data-theme="dark" data-density="compact"/);
  assertMatch(shell(false), /<svg [^>]*aria-hidden="true"/);
  assertMatch(shell(false), /<main id="main" class="runs" tabindex="-1">Content<\/main>/);
  assertEquals(textsOf(shell(false), "footer"), []);
  assertEquals(textsOf(shell(true, "Docket 1.0"), "footer"), ["Docket 1.0"]);
  const footer = htmlOf(<Footer version="1.0" service="embedded service" zone="UTC" />);
  assertEquals(textsOf(footer, "p"), ["Docket 1.0 · embedded service", "Times in UTC · Change"]);
  const banner = "Sample data in memory. Changes are lost on restart, and each instance has its " +
    "own copy. Set DATABASE_URL to keep data, or SERVICE_BASE_URL to use your service.";
  assertEquals([false, true].map((each) => textOf(shell(each)).includes(banner)), [false, true]);
  assert(!shell(false).includes("in memory"));
});

Deno.test("ShortcutHelp: explains each key, and where to turn shortcuts off", () => {
  const html = htmlOf(<ShortcutHelp />);
  const keys = textsOf(html, "dt");
  const actions = textsOf(html, "dd");
  assertEquals(keys.map((key, at) => `${key}: ${actions[at]}`), [
    "Ctrl K or ⌘ K: Go to a page, person or schedule",
    "?: Show this help",
    "Esc: Close a dialog, menu or drawer",
    "/: Search",
    "j: Next row, and the next page after the last; next file set while one is open",
    "k: Previous row, or file set",
    "Enter: Open row",
    "Click on a cell: Only rows with its value; with Alt, only those without",
    "Shift click on a heading: Sort by this column too",
  ]);
  assertEquals(textsOf(html, "h3"), ["Everywhere", "Lists"]);
  assertEquals(textsOf(html, "p"), ["Turn them off in Preferences."]);
  assertEquals(linksOf(html), { Preferences: "/preferences" });
  assertEquals(textsOf(html, "h2"), ["Keyboard shortcuts"]);
  assertMatch(html, /<dialog id="shortcuts"[^>]*aria-labelledby="shortcuts-heading"/);
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
