import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../../ui/copy_button.tsx";
import { canBeDefault } from "./default_view.ts";
import { MAX_NAME, type SavedView } from "./saved_views.ts";

export function ViewTools({ view, ...act }: {
  readonly view: SavedView;
  /** Moves it up (-1) or down (1). */
  readonly onMove: (by: -1 | 1) => void;
  /** Renames it; false if that was refused. */
  readonly onRename: (next: string) => boolean;
  readonly onDefault: () => void;
  readonly onDelete: () => void;
}) {
  const { name, href, isDefault } = view;
  const [isRenamed, setIsRenamed] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);
  const was = useRef(false);

  useLayoutEffect(() => {
    if (!isRenamed && was.current) rename.current?.focus();
    was.current = isRenamed;
  }, [isRenamed]);

  function onKeyDown(event: KeyboardEvent) {
    const { key, altKey } = event;
    // An input method takes its own keys.
    if (event.isComposing) return;
    if (altKey && (key === "ArrowUp" || key === "ArrowDown")) {
      act.onMove(key === "ArrowUp" ? -1 : 1);
    } else if (key === "Escape" && isRenamed) setIsRenamed(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  if (isRenamed) {
    return (
      <RenameForm
        name={name}
        onKeyDown={onKeyDown}
        onRename={(next) => act.onRename(next) && setIsRenamed(false)}
        onCancel={() => setIsRenamed(false)}
      />
    );
  }
  return (
    <div class="view-tools" role="group" aria-label={name} onKeyDown={onKeyDown}>
      {([[-1, "↑", "Move up"], [1, "↓", "Move down"]] as const).map(([by, sign, label]) => (
        <button
          key={by}
          type="button"
          class="quiet"
          data-move={by}
          aria-label={`${label}: ${name}`}
          aria-keyshortcuts={by < 0 ? "Alt+ArrowUp" : "Alt+ArrowDown"}
          title={`${label} (Alt+${sign})`}
          onClick={() => act.onMove(by)}
        >
          {sign}
        </button>
      ))}
      <button
        ref={rename}
        type="button"
        class="quiet"
        data-rename
        onClick={() => setIsRenamed(true)}
      >
        Rename<span class="unseen">{` ${name}`}</span>
      </button>
      {(isDefault || canBeDefault(view)) && (
        <button
          type="button"
          class="quiet"
          aria-pressed={isDefault ?? false}
          aria-label={`Default: ${name}`}
          onClick={act.onDefault}
        >
          Default
        </button>
      )}
      <CopyButton text={new URL(href, location.href).href} label="Copy link" />
      <button type="button" class="quiet" onClick={act.onDelete}>
        Delete<span class="unseen">{` ${name}`}</span>
      </button>
    </div>
  );
}

function RenameForm({ name, onKeyDown, onRename, onCancel }: {
  readonly name: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onRename: (next: string) => void;
  readonly onCancel: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const next = input.current!.value.trim();
    if (next) onRename(next);
  }

  return (
    <form class="row" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <input
        ref={input}
        aria-label={`New name of ${name}`}
        required
        maxLength={MAX_NAME}
        value={name}
      />
      <button type="submit">Rename</button>
      <button type="button" class="quiet" onClick={onCancel}>Cancel</button>
    </form>
  );
}
