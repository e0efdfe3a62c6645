import type { ComponentChildren, VNode } from "preact";
import { MISSING } from "./moment.tsx";
import { formatCount } from "../../lib/format.ts";
import { HiddenFields } from "./form.tsx";
import { MAX_TEXT } from "../../lib/filter_text.ts";

export interface Column<Row> {
  readonly name: string;
  /** Stands instead of the name above the column: a `th`. */
  readonly heading?: VNode;
  /** Numbers are right-aligned, and sentences wrap. */
  readonly kind?: "number" | "sentence" | "wide";
  readonly isUnseen?: true;
  /** What a cell shows: nothing is a missing value, `false` an empty cell. */
  readonly cell: (row: Row) => ComponentChildren;
}

/** Rows as a table, whose rows are cards where it is narrow. Components for each cell would be slow. */
export function DataTable<Row>({ name, caption = name, columns, rows, rowClass, empty, ...frame }: {
  readonly name: string;
  readonly caption?: string;
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowClass?: (row: Row) => string | undefined;
  /** The text instead of rows; without it, only the headings are shown. */
  readonly empty?: string;
}) {
  if (empty && rows.length === 0) return <Empty>{empty}</Empty>;
  const className = frame.class ? `box scroll ${frame.class}` : "box scroll";
  return (
    <div class={className} role="region" aria-label={name} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, heading, kind, isUnseen }) =>
              heading ?? (
                <th key={name} scope="col" class={kind}>
                  {isUnseen ? <span class="unseen">{name}</span> : name}
                </th>
              )
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} class={rowClass?.(row)}>{toCells(columns, row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toCells<Row>(columns: readonly Column<Row>[], row: Row) {
  return columns.map(({ name, kind, isUnseen, cell }, at) => {
    const value = cell(row);
    const shown = value === undefined || value === null || value === "" ? MISSING : value;
    if (at === 0) return <th key={name} scope="row" class={kind}>{shown}</th>;
    return (
      <td key={name} class={kind} data-label={isUnseen ? undefined : name}>
        {shown}
      </td>
    );
  });
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="card empty">{children}</p>;
}

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
  const range = count === 0 ? "0" : `${formatCount(start + 1)}–${formatCount(start + count)}`;
  const last = total !== null && total > limit ? Math.floor((total - 1) / limit) * limit : null;
  return (
    <nav class="line pager" aria-label={label}>
      <PageLink href={previous === null ? null : href(0)} name="First" />
      <PageLink href={previous === null ? null : href(previous)} name="Previous" />
      <span class="range">{total === null ? range : `${range} of ${formatCount(total)}`}</span>
      <PageLink href={next === null ? null : href(next)} name="Next" />
      {total !== null && (
        <PageLink href={last === null || next === null ? null : href(last)} name="Last" />
      )}
    </nav>
  );
}

/** A link, disabled if there is no such page, so that the others keep their place. */
function PageLink({ href, name }: { readonly href: string | null; readonly name: string }) {
  if (href === null) return <a role="link" aria-disabled="true">{name}</a>;
  return <a href={href}>{name}</a>;
}

/** A page of a filtered list: its rows, or that nothing matches. */
export function FilteredRows({ position, href, label, empty, children }: {
  readonly position: PagePosition;
  readonly href: (start: number) => string;
  readonly label: string;
  readonly empty: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { start, count, total } = position;
  const isPast = start > 0 && total !== 0;
  return (
    <>
      {count > 0 ? children : <Empty>{isPast ? "This page is past the last row." : empty}</Empty>}
      <Pager position={position} href={href} label={label} />
    </>
  );
}

interface Segment {
  readonly name: string;
  readonly href: string;
  readonly count?: number;
  readonly tone?: string;
  readonly isCurrent: boolean;
}

/** Links to the parts of a list, with how many rows each has. */
export function Segments({ label, isAnnounced, segments }: {
  readonly label: string;
  /** Whether screen readers hear of its changes. */
  readonly isAnnounced?: boolean;
  readonly segments: readonly Segment[];
}) {
  return (
    <ul class="line plain headlines" aria-label={label} data-announced={isAnnounced || undefined}>
      {segments.map(({ name, href, count, tone, isCurrent }) => (
        <li key={name}>
          <a href={href} aria-current={isCurrent ? "true" : undefined} class={tone}>
            {name}
            {count !== undefined && [" ", <b key="count">{formatCount(count)}</b>]}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A field that filters a list as soon as Enter is pressed. */
export function FilterField({ action, name = "q", label, value, pattern, others, clear, method }: {
  readonly action: string;
  readonly name?: string;
  readonly label: string;
  readonly value: string;
  /** What may be typed, as a regular expression. */
  readonly pattern?: string;
  /** What else the list is filtered by, by the names of parameters. */
  readonly others: Readonly<Record<string, string | number | undefined>>;
  /** The list without the filter; undefined if there is none. */
  readonly clear?: string;
  readonly method?: "post";
}) {
  return (
    <form action={action} method={method} class="line" role="search" autocomplete="off">
      <HiddenFields values={others} />
      <input
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        title={pattern && label}
        maxLength={MAX_TEXT}
        pattern={pattern}
        value={value}
      />
      <button type="submit" class="past">Filter</button>
      {clear !== undefined && <a href={clear}>Clear</a>}
    </form>
  );
}
