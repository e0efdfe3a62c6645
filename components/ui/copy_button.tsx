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

export async function copyText(button: HTMLButtonElement): Promise<void> {
  const status = button.nextElementSibling!;
  try {
    const text = button.value || button.closest("section")!.querySelector("pre")!.textContent!;
    await navigator.clipboard.writeText(text);
    status.textContent = "Copied";
  } catch {
    // Browsers offer no clipboard without TLS or permission.
    status.textContent = "Your browser did not allow copying. Select the text instead.";
  }
}
