import type { ComponentChildren } from "preact";

/** Says that there is nothing to show, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}
