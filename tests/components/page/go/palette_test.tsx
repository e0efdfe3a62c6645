import { assert, assertEquals } from "@std/assert";
import { openPalette } from "../../../../components/page/go/palette.tsx";
import { type BrowserPage, withBrowserPage } from "../../browser_page.ts";

const SCHEDULES = [
  {
    ...{ group: "Schedules", name: "102 Open claims", href: "/schedules/102", note: "failing" },
    strip: { label: "Planned runs, newest last: 1 failed", width: 12, paths: [["bad", "M0 0h10"]] },
  },
  { group: "Schedules", name: "103 Warehouse stock", href: "/schedules/103", note: "up" },
];

/** Opens the palette; the server finds these schedules, whatever is typed. */
async function withPalette(
  test: (page: BrowserPage, asked: string[]) => Promise<void> | void,
  { html = "", answer }: { readonly html?: string; readonly answer?: () => Promise<Response> } = {},
): Promise<void> {
  const asked: string[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    asked.push([init?.method ?? "GET", input, init?.body ?? ""].join(" ").trim());
    const found = { entries: SCHEDULES, people: [], total: 12 };
    return (answer ?? (() => Promise.resolve(Response.json(found))))();
  };
  try {
    await withBrowserPage(html, async (page) => {
      openPalette();
      await page.settled();
      await test(page, asked);
    });
  } finally {
    globalThis.fetch = fetch;
  }
}

/** The option that Enter would take. */
const chosen = (page: BrowserPage) => page.texts('[role=option][aria-selected="true"]');

Deno.test("palette: lists all destinations by group, with the first one chosen", () =>
  withPalette((page, asked) => {
    assertEquals(page.texts("[role=presentation]"), ["Schedules", "Pages", "Actions"]);
    assertEquals(page.texts("[role=option]").slice(0, 4), [
      "102 Open claims failing",
      "103 Warehouse stock up",
      "Today",
      "Schedules",
    ]);
    assertEquals(chosen(page), ["102 Open claims failing"]);
    const label = page.find('[role=option][aria-selected="true"] [role=img]').getAttribute(
      "aria-label",
    );
    assertEquals(label, "Planned runs, newest last: 1 failed");
    assertEquals(page.find("[role=combobox]").getAttribute("aria-activedescendant"), "go-0");
    assertEquals(page.find("dialog").ariaLabel, "Go to");
    const input = page.find<HTMLInputElement>("[role=combobox]");
    assertEquals(
      [input.ariaLabel ?? input.getAttribute("aria-label"), input.placeholder],
      [
        "Go to a page, schedule or action",
        "Page, schedule name or id, action",
      ],
    );
    assertEquals(input.getAttribute("aria-controls"), page.find("[role=listbox]").id);
    assertEquals(
      page.find("[role=group]").getAttribute("aria-labelledby"),
      page.find("[role=presentation]").id,
    );
    assertEquals(page.texts("[role=status]"), [
      "2 of 12 schedules: type more to narrow them down.",
    ]);
    assertEquals(asked, ["GET /go/matches?q="]);
  }));

Deno.test("palette: arrow keys wrap around, page keys move by eight and stop at the ends", () =>
  withPalette(async (page) => {
    const names = page.texts("[role=option]");
    const at = () => names.indexOf(chosen(page)[0]);
    const press = async (key: string) => {
      await page.press(key, { on: page.find("[role=combobox]") });
      return at();
    };
    const last = names.length - 1;
    assertEquals(await press("ArrowUp"), last);
    assertEquals(await press("ArrowDown"), 0);
    assertEquals(await press("ArrowDown"), 1);
    assertEquals(await press("ArrowDown"), 2);
    assertEquals(await press("ArrowUp"), 1);
    assertEquals(await press("PageDown"), 9);
    assertEquals(await press("PageUp"), 1);
    assertEquals(await press("PageUp"), 0);
    for (let turn = 0; turn < 4; turn++) await press("PageDown");
    assertEquals(at(), last);
    assertEquals(await press("x"), last);
  }));

Deno.test("palette: typing filters all groups and requests schedules", () =>
  withPalette(async (page, asked) => {
    await page.type("[role=combobox]", " theme: light");
    assertEquals(asked, ["GET /go/matches?q=", "GET /go/matches?q=theme%3A+light"]);
    assertEquals(page.texts("[role=option]").slice(2), [
      "Theme: light",
      "Search file sets for “theme: light”",
    ]);
    await page.type("[role=combobox]", "105");
    assertEquals(page.texts("[role=option]")[0], "Schedule 105");
  }));

Deno.test("palette: says how many entries match, that none does, or that schedules did not load", async () => {
  const none = () => Promise.resolve(Response.json({ entries: [], people: [], total: 0 }));
  await withPalette(async (page) => {
    await page.type("[role=combobox]", "zzz");
    assertEquals(page.texts("[role=status]"), ["No matches."]);
    await page.type("[role=combobox]", "today");
    assertEquals(page.texts("[role=status]"), ["1 match"]);
    await page.type("[role=combobox]", "theme");
    assertEquals(page.texts("[role=status]"), ["2 matches"]);
  }, { answer: none });
  await withPalette((page) => {
    assertEquals(page.texts("[role=status]"), ["Schedules could not be loaded."]);
    assert(page.texts("[role=option]").includes("Today"));
  }, { answer: () => Promise.resolve(new Response("", { status: 503 })) });
  await withPalette((page) => {
    assertEquals(page.texts("[role=status]"), ["Loading…"]);
  }, { answer: () => new Promise(() => {}) });
});

Deno.test("palette: Enter runs the chosen action and closes; closing leaves nothing behind", () =>
  withPalette(async (page) => {
    let looked = 0;
    page.find<HTMLFormElement>("form").requestSubmit = () => void looked++;
    await page.type("[role=combobox]", "check now");
    await page.press("ArrowDown", { on: page.find("[role=combobox]") });
    await page.press("ArrowDown", { on: page.find("[role=combobox]") });
    assertEquals(chosen(page), ["Check now"]);
    await page.press("Enter", { on: page.find("[role=combobox]"), isComposing: true });
    assertEquals(looked, 0);
    await page.press("Enter", { on: page.find("[role=combobox]") });
    assertEquals([looked, document.querySelector("dialog")], [1, null]);
  }, { html: '<form action="/schedules/102/check-now"></form>' }));

Deno.test("palette: stays open for an action that changes the page, and says what it did", async () => {
  const saved = Object.defineProperty(new Response(), "type", { value: "opaqueredirect" });
  const found = Response.json({ entries: [], people: [], total: 0 });
  const answers = [found, found.clone(), saved, found.clone(), saved, found.clone()];
  await withPalette(async (page, asked) => {
    await page.type("[role=combobox]", "compact");
    await page.click("Row spacing: compact");
    assertEquals(page.texts("[role=status]"), ["Row spacing: compact."]);
    assertEquals(page.find(".shell").dataset.density, "compact");
    assertEquals(asked.at(-1), "POST /preferences density=compact");
    assert(!page.texts("[role=option]").includes("Row spacing: compact"));
    await page.type("[role=combobox]", "dark");
    await page.click("Theme: dark");
    assertEquals(asked.at(-1), "POST /preferences theme=dark");
    assertEquals(page.find(".shell").dataset.theme, "dark");
    await page.type("[role=combobox]", "system");
    await page.click("Theme: match system");
    assertEquals(page.texts("[role=status]"), ["That could not be saved. Reload the page."]);
    assertEquals(page.find(".shell").dataset.theme, "dark");
  }, { answer: () => Promise.resolve(answers.shift() ?? new Response("", { status: 500 })) });
});

Deno.test("palette: lists the page's exports and forms as actions, and opens only once", () =>
  withPalette(async (page) => {
    let exported = "";
    page.find("main").addEventListener("click", (event) => {
      event.preventDefault();
      exported = (event.target as Element).textContent!;
    });
    openPalette();
    assertEquals(document.querySelectorAll("dialog[open]").length, 1);
    assertEquals(page.texts("[role=group]:last-child [role=option]"), [
      "Refresh this page",
      "Copy a link to this page",
      "Export as CSV",
      "Theme: light",
      "Theme: dark",
      "Row spacing: compact",
      "Show keyboard shortcuts",
      "Sign out",
    ]);
    const copied: string[] = [];
    const clipboard = { writeText: (text: string) => void copied.push(text) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard });
    await page.click("Copy a link to this page");
    assertEquals([copied, page.texts("[role=status]")], [[location.href], ["Link copied."]]);
    await page.click("Export as CSV");
    assertEquals(exported, "CSV");
  }, {
    html: '<a download href="/export">CSV</a><dialog id="shortcuts"></dialog>' +
      '<form action="/sign-out"></form>',
  }));
