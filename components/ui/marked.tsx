import type { ComponentChildren } from "preact";

/** Words behind a sign that is not spoken, in a tone, such as `✕ Failed`. */
export function Marked({ mark: [sign, tone], look = "status", children }: {
  readonly mark: readonly [sign: string, tone: string, ...unknown[]];
  readonly look?: "status" | "badge" | "flag tier";
  readonly children: ComponentChildren;
}) {
  const Tag = look === "status" ? "span" : "strong";
  return (
    <Tag class={`${look} ${tone}`}>
      <span aria-hidden="true">{sign}</span> {children}
    </Tag>
  );
}
