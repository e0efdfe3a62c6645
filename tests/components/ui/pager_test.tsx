import { assertEquals, assertMatch } from "@std/assert";
import { formatRange, type PagePosition, Pager } from "../../../components/ui/pager.tsx";
import { htmlOf, textsOf } from "../rendered.ts";

/** Where each of a pager's links leads; null for one that leads nowhere. */
function linksOf(position: PagePosition): Record<string, string | null> {
  const html = htmlOf(<Pager position={position} href={String} label="Pages" />);
  return Object.fromEntries(
    [...html.matchAll(/<a([^>]*)>(\w+)<\/a>/g)].map(([, attributes, name]) => [
      name,
      /href="(\d+)"/.exec(attributes)?.[1] ?? null,
    ]),
  );
}

Deno.test("Pager: Previous goes one page back, and First to the first page", () => {
  assertEquals(linksOf({ start: 350, count: 100, limit: 100, total: 1000 }), {
    First: "0",
    Previous: "250",
    Next: "450",
    Last: "900",
  });
  assertEquals(linksOf({ start: 50, count: 100, limit: 100, total: null }), {
    First: "0",
    Previous: "0",
    Next: "150",
  });
});

Deno.test("Pager: a single page has a range and no links", () => {
  for (const total of [100, 2]) {
    const position = { start: 0, count: total, limit: 100, total };
    const html = htmlOf(<Pager position={position} href={String} label="Pages" />);
    assertEquals(
      html,
      `<div class="pager"><span class="range">1–${total} of ${total}</span></div>`,
    );
  }
});

Deno.test("Pager: has a name and a range, and marks disabled links", () => {
  const html = htmlOf(
    <Pager
      position={{ start: 0, count: 2, limit: 2, total: 3 }}
      href={String}
      label="Pages of runs"
    />,
  );
  assertMatch(html, /<nav class="pager" aria-label="Pages of runs">/);
  assertMatch(html, /<a role="link" aria-disabled="true">Previous<\/a>/);
  assertEquals(textsOf(html, "span"), ["1–2 of 3"]);
});

Deno.test("Pager: with a total, leads to every page but none past the end", () => {
  assertEquals(linksOf({ start: 100, count: 100, limit: 100, total: 250 }), {
    First: "0",
    Previous: "0",
    Next: "200",
    Last: "200",
  });
  assertEquals(linksOf({ start: 200, count: 50, limit: 100, total: 250 }), {
    First: "0",
    Previous: "100",
    Next: null,
    Last: null,
  });
  assertEquals(linksOf({ start: 0, count: 100, limit: 100, total: 250 }), {
    First: null,
    Previous: null,
    Next: "100",
    Last: "200",
  });
});

Deno.test("Pager: without a total, an empty page is the end", () => {
  assertEquals(linksOf({ start: 0, count: 50, limit: 100, total: null }).Next, "50");
  assertEquals(linksOf({ start: 250, count: 0, limit: 100, total: null }).Next, null);
});

Deno.test("formatRange: says which rows, and of how many", () => {
  assertEquals(
    formatRange({ start: 100, count: 100, limit: 100, total: 5000 }),
    "101–200 of 5,000",
  );
  assertEquals(formatRange({ start: 0, count: 0, limit: 100, total: null }), "0");
});

Deno.test("Pager: is empty without rows", () => {
  assertEquals(linksOf({ start: 0, count: 0, limit: 100, total: 0 }), {});
  assertEquals(linksOf({ start: 0, count: 0, limit: 100, total: null }), {});
});
