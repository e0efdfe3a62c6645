import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

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
      Use browser time zone: {zone.value}
    </button>
  );
}
