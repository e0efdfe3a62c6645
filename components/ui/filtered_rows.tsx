import type { ComponentChildren } from "preact";
import { Empty } from "./data_table.tsx";
import { ErrorNotice } from "./error_notice.tsx";
import { type PagePosition, Pager } from "./pager.tsx";

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
