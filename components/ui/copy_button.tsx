import type { ComponentChildren } from "preact";

/** Copies a text, by default that of its section's `pre`. Hidden without JavaScript. */
export function CopyButton({ text, label }: {
  readonly text?: string;
  readonly label: ComponentChildren;
}) {
  return (
    <>
      <button type="button" class="quiet" value={text} data-copy>{label}</button>
      <span role="status" class="help" />
    </>
  );
}
