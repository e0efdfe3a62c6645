import { assertEquals } from "@std/assert";
import { formatRange, type PagePosition, Pager } from "../../../components/ui/pager.tsx";

/** Where each of a pager's links leads; null for one that leads nowhere. */
function linksOf(position: PagePosition): Record<string, string | null> {
  const links: Record<string, string | null> = {};
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, props } = (node ?? {}) as { type?: unknown; props?: Record<string, unknown> };
    if (typeof type === "function" && props && "name" in props) {
      links[String(props.name)] = props.href as string | null;
    } else if (props) visit(props.children);
  };
  visit(Pager({ position, href: String, label: "Pages" }));
  return links;
}

Deno.test("Pager: with a total it leads everywhere but beyond", () => {
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

Deno.test("Pager: without a total a short page is not the end, an empty one is", () => {
  assertEquals(linksOf({ start: 0, count: 50, limit: 100, total: null }).Next, "50");
  assertEquals(linksOf({ start: 250, count: 0, limit: 100, total: null }).Next, null);
});

Deno.test("Pager: the next page begins where this one really ended", () => {
  assertEquals(linksOf({ start: 0, count: 50, limit: 50, total: 250 }).Next, "50");
});

Deno.test("formatRange: says which rows, and of how many", () => {
  assertEquals(
    formatRange({ start: 100, count: 100, limit: 100, total: 5000 }),
    "101–200 of 5,000",
  );
  assertEquals(formatRange({ start: 0, count: 0, limit: 100, total: null }), "0");
  assertEquals(
    formatRange({ start: 100, count: 100, limit: 100, total: null, estimatedTotal: 1_200_000 }),
    "101–200 of about 1,200,000",
  );
});
