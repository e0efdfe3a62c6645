import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The list is loaded when it is opened. Without scripts, the style sheet hides the menu. */
export function SavedViews() {
  const menu = useRef<HTMLDetailsElement>(null);
  const list = useSignal<{ readonly List: ComponentType } | null>(null);

  async function load() {
    const { SavedViewList } = await import("../components/page/views/saved_view_list.tsx");
    list.value ??= { List: SavedViewList };
  }
  useEffect(() => {
    // It may have been opened before this script had loaded.
    if (menu.current?.open) void load();
  }, []);

  const { List } = list.value ?? {};
  return (
    <details ref={menu} class="saved-views menu" onToggle={load}>
      <summary>Saved views</summary>
      <div class="card">{List && <List />}</div>
    </details>
  );
}
