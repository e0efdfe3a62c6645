import { useEffect } from "preact/hooks";

/** Closes menus by Escape or elsewhere, and acts on the buttons that copy. */
export function Menus() {
  useEffect(() => {
    function onClick(event: MouseEvent) {
      const { target, button, ctrlKey, metaKey, shiftKey } = event;
      if (button || ctrlKey || metaKey || shiftKey) return;
      const copy = (target as Element).closest<HTMLButtonElement>("[data-copy]");
      if (copy) void copyText(copy);
    }

    /** Closes an open menu. On the document, so that it comes before the drawer's Escape. */
    function onEscape(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      const menu = document.querySelector<HTMLDetailsElement>(".menu[open]");
      if (!menu) return;
      event.preventDefault();
      menu.open = false;
      menu.querySelector("summary")!.focus();
    }

    /** Closes menus that lose the focus, so that none covers the focused element. */
    function onLeave({ target }: Event) {
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
    // The first effects of all islands run together, so the page is interactive from now on.
    document.body.dataset.live = "";
    return () => over.abort();
  }, []);
  return null;
}

async function copyText(button: HTMLButtonElement): Promise<void> {
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
