import type { ComponentChildren } from "preact";

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}
