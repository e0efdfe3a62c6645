/** Components as the server renders them, and what people read there. */
import { Fragment, h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { Now, Zone } from "../../components/ui/moment.tsx";

/** The markup of an element, with times in the given zone. */
export function htmlOf(element: VNode, zone = "UTC"): string {
  return renderToString(h(Zone.Provider, { value: zone, children: element }));
}

/** An element on a page that is shown at a time. */
export function shownAt(now: number, element: VNode): VNode {
  return h(Fragment, null, h(Now.Provider, { value: now, children: element }));
}

/** The text of a piece of markup. Cells, items and paragraphs are separated by `|`. */
export function textOf(html: string): string {
  return html
    .replace(/<(span|title)[^>]*aria-hidden="true"[^>]*>.*?<\/\1>/g, "")
    .replace(/<\/?(td|th|tr|dt|dd|li|p|h\d|title|small|caption|figcaption|option)\b[^>]*>/g, "|")
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&")
    .replace(/\s+/g, " ").replace(/(\s*\|\s*)+/g, " | ").trim();
}

/** The text of each match of an element, such as `tr`. */
export function textsOf(html: string, element: string): string[] {
  const found = html.matchAll(new RegExp(`<${element}\\b[^>]*>.*?</${element}>`, "gs"));
  return [...found].map(([match]) => textOf(match).replace(/^\| | \|$/g, ""));
}

/** The links in a piece of markup: what is read, and where it leads. */
export function linksOf(html: string): Record<string, string> {
  const links = [...html.matchAll(/<a\b[^>]*\bhref(?:="([^"]*)")?(?=[\s>])[^>]*>(.*?)<\/a>/gs)];
  return Object.fromEntries(
    links.map(([, href = "", content]) => [
      textOf(content).replace(/^\| | \|$/g, ""),
      href.replaceAll("&amp;", "&"),
    ]),
  );
}
