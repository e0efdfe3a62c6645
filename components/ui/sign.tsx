/** A sign beside words that say the same, which screen readers leave out. */
export function Sign({ children }: { readonly children: string }) {
  return <span aria-hidden="true">{children}</span>;
}
