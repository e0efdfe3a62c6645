import type { ComponentChildren } from "preact";
import { ZoneName } from "./moment.tsx";

export interface Frame {
  readonly name: string;
  readonly caption?: string;
  readonly class?: string;
}

export function TableFrame({ name, caption = name, headings, hasTimes, children, ...frame }:
  & Frame
  & {
    readonly headings: ComponentChildren;
    readonly hasTimes?: boolean;
    readonly children: ComponentChildren;
  }) {
  const className = frame.class ? `scroll ${frame.class}` : "scroll";
  return (
    <div class={className} role="region" aria-label={name} tabIndex={0}>
      <table>
        <caption class="unseen">
          {caption}
          {hasTimes && [", times in ", <ZoneName key="zone" />]}
        </caption>
        <thead>
          <tr>{headings}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
