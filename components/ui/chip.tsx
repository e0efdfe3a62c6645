/** A part of a search that can be changed by its text, and removed. */
export function Chip({ text, action, changed, removed }: {
  readonly text: string;
  /** What changing it does, such as `Negate`. */
  readonly action: string;
  readonly changed: string;
  readonly removed: string;
}) {
  return (
    <li class="chip">
      <a href={changed} aria-label={`${action}: ${text}`} title={action}>{text}</a>
      <a href={removed} aria-label={`Remove: ${text}`} class="cross">×</a>
    </li>
  );
}
