import { useEffect } from "preact/hooks";

/** Listens for shortcut keys. {@linkcode ShortcutHelp} lists them. */
export function Shortcuts() {
  useEffect(() => {
    async function onKeyDown(event: KeyboardEvent) {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || !/^[/jk?]$/.test(key)) return;
      // In text fields they are ordinary letters.
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
