import { formatCount } from "../../lib/format.ts";
import type { ComponentChildren } from "preact";
import { Empty } from "./data_table.tsx";
import { ErrorNotice } from "./notices.tsx";

export interface PagePosition {
  readonly start: number;
  readonly count: number;
  readonly limit: number;
  readonly total: number | null;
}

/** Links to the other pages of a list; nothing if there is only one. */
export function Pager({ position, href, label }: {
  readonly position: PagePosition;
  readonly href: (start: number) => string;
  readonly label: string;
}) {
  const { start, count, limit, total } = position;
  if (total === 0) return null;
  const previous = start > 0 ? Math.max(0, start - limit) : null;
  // A service may return fewer rows than requested, so without a total only an empty page is the end.
  const more = count > 0 && (total === null || start + count < total);
  const next = more ? start + count : null;
  if (previous === null && next === null) return null;
  const last = total !== null && total > limit ? lastStart(total, limit) : null;
  return (
    <nav class="line pager" aria-label={label}>
      <PageLink href={previous === null ? null : href(0)} name="First" />
      <PageLink href={previous === null ? null : href(previous)} name="Previous" />
      <span class="range">{formatRange(position)}</span>
      <PageLink href={next === null ? null : href(next)} name="Next" />
      {total !== null && (
        <PageLink href={last === null || next === null ? null : href(last)} name="Last" />
      )}
    </nav>
  );
}

function lastStart(total: number, limit: number): number {
  return Math.floor((total - 1) / limit) * limit;
}

function formatRange({ start, count, total }: PagePosition): string {
  const range = count === 0 ? "0" : `${formatCount(start + 1)}–${formatCount(start + count)}`;
  return total === null ? range : `${range} of ${formatCount(total)}`;
}

/** A link, disabled if there is no such page, so that the others keep their place. */
function PageLink({ href, name }: { readonly href: string | null; readonly name: string }) {
  if (href === null) return <a role="link" aria-disabled="true">{name}</a>;
  return <a href={href}>{name}</a>;
}

/** A page of a filtered list: its rows, or what is wrong with the filter, or that nothing matches. */
export function FilteredRows({ issues, position, href, label, empty, children }: {
  readonly issues: readonly string[];
  readonly position: PagePosition;
  readonly href: (start: number) => string;
  readonly label: string;
  readonly empty: string;
  readonly children: ComponentChildren;
}) {
  if (issues.length > 0) {
    return (
      <ErrorNotice error={{ title: "This filter is not valid", detail: "Please fix:", issues }} />
    );
  }
  return (
    <>
      {position.count > 0
        ? children
        : <Empty>{position.total ? "This page is past the last row." : empty}</Empty>}
      <Pager position={position} href={href} label={label} />
    </>
  );
}
