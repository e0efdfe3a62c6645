import type { ComponentChildren } from "preact";

/** What became of what a person just did: it has the focus, so that it is read first. */
export function Outcome({ isBad = false, children }: {
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div
      class={isBad ? "notice bad" : "notice"}
      role={isBad ? "alert" : "status"}
      tabIndex={-1}
      autofocus
    >
      {children}
    </div>
  );
}
