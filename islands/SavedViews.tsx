import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/** Views saved in this browser. The list is loaded when it is opened. */
export function SavedViews() {
  const list = useSignal<{ readonly List: ComponentType } | null>(null);
  const works = useSignal(false);
  useEffect(() => {
    works.value = true;
  }, []);

  async function onToggle() {
    const { SavedViewList } = await import("../components/page/views/saved_view_list.tsx");
    list.value ??= { List: SavedViewList };
  }

  // Saving needs JavaScript.
  if (!works.value) return null;
  const { List } = list.value ?? {};
  return (
    <details class="saved-views menu" onToggle={onToggle}>
      <summary>Saved views</summary>
      <div class="card">{List && <List />}</div>
    </details>
  );
}
