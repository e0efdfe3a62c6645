import { useEffect } from "preact/hooks";

/** Listens for single keys outside of texts; {@linkcode ShortcutHelp} says what they do. */
export function Shortcuts() {
  useEffect(() => {
    async function onKeyDown(event: KeyboardEvent) {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || !/^[/jk?]$/.test(key)) return;
      // In a text they are letters like others.
      if ((target as Element).closest?.("input, select, textarea, dialog, [contenteditable]")) {
        return;
      }
      event.preventDefault();
      const { runShortcut } = await import("../components/page/shortcuts.ts");
      runShortcut(key);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return null;
}
