import { formatCount } from "./format.ts";

/** Where a page is among all rows. */
export interface PagePosition {
  /** Number of rows before this page. */
  readonly start: number;
  /** Number of rows on this page. */
  readonly count: number;
  /** The most rows on a page. */
  readonly limit: number;
  /** Number of all rows, or null where the service does not say. */
  readonly total: number | null;
}

/** Links to the pages around this one. */
export function Pager({ position, href, label }: {
  readonly position: PagePosition;
  /** The page that begins after that many rows. */
  readonly href: (start: number) => string;
  /** What is paged, for those who can't see where the links stand. */
  readonly label: string;
}) {
  const { start, count, limit, total } = position;
  const previous = start > 0 ? Math.max(0, start - limit) : null;
  // Without a total only an empty page is the end: a service may put fewer rows on a page than asked.
  const more = count > 0 && (total === null || start + count < total);
  const next = more ? start + count : null;
  const last = total !== null && total > limit ? Math.floor((total - 1) / limit) * limit : null;
  return (
    <nav class="pager" aria-label={label}>
      <PageLink href={previous === null ? null : href(0)} name="First" />
      <PageLink href={previous === null ? null : href(previous)} name="Previous" />
      <span class="range">{rangeWords(position)}</span>
      <PageLink href={next === null ? null : href(next)} name="Next" />
      {total !== null && (
        <PageLink href={last === null || next === null ? null : href(last)} name="Last" />
      )}
    </nav>
  );
}

/** A page's rows in words, such as `101–200 of 5,000`. */
export function rangeWords({ start, count, total }: PagePosition): string {
  const range = count === 0 ? "0" : `${formatCount(start + 1)}–${formatCount(start + count)}`;
  return total === null ? range : `${range} of ${formatCount(total)}`;
}

/** A link, or its name alone where there is no such page: the place stays the same. */
function PageLink({ href, name }: { readonly href: string | null; readonly name: string }) {
  return href === null ? <a role="link" aria-disabled="true">{name}</a> : <a href={href}>{name}</a>;
}
