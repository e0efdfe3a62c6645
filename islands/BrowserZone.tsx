import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Offers the browser's own zone, which only the browser knows. */
export function BrowserZone() {
  const zone = useSignal<string | null>(null);
  useEffect(() => {
    zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }, []);

  function choose() {
    const input = document.querySelector<HTMLInputElement>("#zone");
    if (input && zone.value) input.value = zone.value;
  }

  return zone.value && (
    <button type="button" class="quiet" onClick={choose}>
      Use this browser's: {zone.value}
    </button>
  );
}
