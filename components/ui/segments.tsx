import type { ComponentChildren } from "preact";
import { formatCount } from "../../lib/format.ts";
import { HiddenFields } from "./acting.tsx";
import { MAX_TEXT } from "../../lib/filter_text.ts";

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
export function FilterField({ action, name = "q", label, value, others, clear, method, children }: {
  readonly action: string;
  readonly name?: string;
  readonly label: string;
  readonly value: string;
  /** What else the list is filtered by, by the names of parameters. */
  readonly others: Readonly<Record<string, string | number | undefined>>;
  /** The list without the filter; undefined if there is none. */
  readonly clear?: string;
  readonly method?: "post";
  readonly children?: ComponentChildren;
}) {
  return (
    <form action={action} method={method} class="line" role="search" autocomplete="off">
      <HiddenFields values={others} />
      {children}
      <input
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        maxLength={MAX_TEXT}
        value={value}
      />
      <button type="submit" class="past">Filter</button>
      {clear !== undefined && <a href={clear}>Clear</a>}
    </form>
  );
}
