import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

/** Copies a text. Shown only with JavaScript. */
export function CopyButton({ text, label }: {
  readonly text: string;
  readonly label: ComponentChildren;
}) {
  const state = useSignal<"off" | "ready" | "copied" | "failed">("off");
  useEffect(() => {
    state.value = "ready";
  }, [text]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      state.value = "copied";
    } catch {
      // Browsers offer no clipboard without TLS or permission.
      state.value = "failed";
    }
  }

  if (state.value === "off") return null;
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>{label}</button>
      <span role="status" class="help">
        {state.value === "copied" && "Copied"}
        {state.value === "failed" && "Your browser did not allow copying. Select the text instead."}
      </span>
    </>
  );
}
