import type { ComponentChildren } from "preact";
import { MISSING } from "./moment.tsx";

export interface Column<Row> {
  readonly name: string;
  /** Numbers are right-aligned, and sentences wrap. */
  readonly kind?: "number" | "sentence";
  readonly isUnseen?: true;
  /** What a cell shows: nothing is a missing value, `false` an empty cell. */
  readonly cell: (row: Row) => ComponentChildren;
}

/** Rows as a table. Components for each cell would be slow. */
export function DataTable<Row>({ columns, rows, empty, ...frame }: Frame & {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The text instead of rows; without it, only the headings are shown. */
  readonly empty?: string;
}) {
  if (empty && rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <TableFrame {...frame} headings={columns.map(toHeading)}>
      {rows.map((row, index) => <tr key={index}>{toCells(columns, row)}</tr>)}
    </TableFrame>
  );
}

function toHeading({ name, kind, isUnseen }: Omit<Column<never>, "cell">) {
  return (
    <th key={name} scope="col" class={kind}>
      {isUnseen ? <span class="unseen">{name}</span> : name}
    </th>
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

export interface Frame {
  readonly name: string;
  readonly caption?: string;
  readonly class?: string;
}

/** A table, whose rows are cards where it is narrow. */
export function TableFrame({ name, caption = name, headings, children, ...frame }:
  & Frame
  & {
    readonly headings: ComponentChildren;
    readonly children: ComponentChildren;
  }) {
  const className = frame.class ? `box scroll ${frame.class}` : "box scroll";
  return (
    <div class={className} role="region" aria-label={name} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>{headings}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
