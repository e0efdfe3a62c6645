import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Copies a text; stands there only where scripts run. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const state = useSignal<"off" | "ready" | "copied" | "refused">("off");
  useEffect(() => {
    state.value = "ready";
  }, [text]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      state.value = "copied";
    } catch {
      // Without TLS, or without permission, browsers give no clipboard.
      state.value = "refused";
    }
  }

  if (state.value === "off") return null;
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>{label}</button>
      <span role="status" class="help">
        {state.value === "copied" && "copied"}
        {state.value === "refused" && "the browser refused; select the text instead"}
      </span>
    </>
  );
}
