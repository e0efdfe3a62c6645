import { useEffect } from "preact/hooks";
import { copyText } from "../components/ui/copy_button.tsx";

/** Listens for the shortcut keys of {@linkcode ShortcutHelp}, and for the buttons that copy. */
export function Shortcuts({ keys }: {
  readonly keys: boolean;
}) {
  useEffect(() => {
    function onClick(event: MouseEvent) {
      const { target, button, ctrlKey, metaKey, shiftKey } = event;
      if (button || ctrlKey || metaKey || shiftKey) return;
      const copy = (target as Element).closest<HTMLButtonElement>("[data-copy]");
      if (copy) void copyText(copy);
    }

    async function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if ((ctrlKey || metaKey) && !altKey && key === "k") {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>("input[data-go]");
        field?.focus();
        return field?.select();
      }
      if (ctrlKey || metaKey || altKey || !/^[/jk?]$/.test(key)) return;
      // In text fields they are ordinary letters.
      if ((target as Element).closest?.("input, select, textarea, dialog, [contenteditable]")) {
        return;
      }
      event.preventDefault();
      // Focused before the rest loads, so that nothing typed meanwhile is lost.
      if (key === "/") {
        return document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      }
      const { runShortcut } = await import("../components/page/shortcuts.ts");
      runShortcut(key);
    }

    /** Closes an open menu. On the document, so that it comes before the drawer's Escape. */
    function onEscape(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      const menu = document.querySelector<HTMLDetailsElement>(".menu[open]");
      if (!menu || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      menu.open = false;
      menu.querySelector("summary")!.focus();
    }

    /** Closes menus that lose the focus, so that none covers the focused element. */
    function onLeave({ target }: Event) {
      if ((target as Element).closest?.("dialog")) return;
      for (const menu of document.querySelectorAll<HTMLDetailsElement>(".menu[open]")) {
        if (!menu.contains(target as Node)) menu.open = false;
      }
    }
    const over = new AbortController();
    const { signal } = over;
    addEventListener("click", onClick, { signal });
    addEventListener("pointerdown", onLeave, { signal });
    addEventListener("focusin", onLeave, { signal });
    document.addEventListener("keydown", onEscape, { signal });
    if (keys) addEventListener("keydown", onKeyDown, { signal });
    // The first effects of all islands run together, so the page is interactive from now on.
    document.body.dataset.live = "";
    return () => over.abort();
  }, []);
  return null;
}
