import type { ComponentChildren } from "preact";

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
