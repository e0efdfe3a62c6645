import type { ComponentChildren, VNode } from "preact";
import { MISSING } from "./moment.tsx";

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
