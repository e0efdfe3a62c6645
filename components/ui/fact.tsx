import type { ComponentChildren } from "preact";
import { MISSING } from "./moment.tsx";

/** A fact of a list by its name; a missing value is shown as such. */
export function Fact({ name, children }: {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const isMissing = children === null || children === undefined || children === "";
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isMissing ? MISSING : children}</dd>
    </div>
  );
}
