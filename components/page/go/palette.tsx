/** The palette finds pages, schedules and actions. Loaded when it is first opened. */
import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Command, readCommands } from "./commands.ts";
import {
  type Entry,
  type FoundSchedules,
  grouped,
  hasWords,
  pageEntries,
  scheduleEntries,
  searchEntries,
} from "./entries.ts";
import { SmallStrip } from "./small_strip.tsx";

type Option = Entry | Command;

export function openPalette(): void {
  if (document.querySelector("dialog[open]")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "palette";
  dialog.ariaLabel = "Go to";
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  // The target of a click on the backdrop is the dialog itself.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  render(<Palette onClose={() => dialog.close()} />, dialog);
  dialog.showModal();
}

function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [message, setMessage] = useState("");
  const schedules = useSchedules(text);
  const { found, isLoading } = schedules;
  const commands = useMemo(readCommands, [message]);
  const isEntered = useRef(false);

  const named = ({ name }: { readonly name: string }) => hasWords(name, text);
  const groups = grouped<Option>([
    ...scheduleEntries(text, found.entries),
    ...found.people,
    ...pageEntries(text),
    ...commands.filter(named),
    ...searchEntries(text),
  ]);
  const options = groups.flatMap(([, of]) => of);
  const at = Math.max(0, options.findIndex((option) => keyOf(option) === chosen));
  const active = options[at];

  async function run(option: Option) {
    if ("href" in option) return location.assign(option.href);
    // Closing moves the focus, so it comes before the action.
    if (!option.staysOpen) onClose();
    setMessage(await option.run() ?? `${option.name}.`);
  }

  /** While schedules are loading, waits: the best match may be among them. */
  function enter() {
    isEntered.current = isLoading && text !== "";
    if (!isEntered.current && active) void run(active);
  }
  useEffect(() => {
    if (isEntered.current && !isLoading) enter();
  }, [isLoading]);

  function onKeyDown(event: KeyboardEvent) {
    const { key, isComposing } = event;
    if (isComposing) return;
    const last = options.length - 1;
    const places: Partial<Record<string, number>> = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    };
    const next = options[places[key] ?? -1];
    if (key === "Enter") enter();
    else if (next) setChosen(keyOf(next));
    else return;
    event.preventDefault();
  }

  useEffect(() => document.getElementById(idOf(at))?.scrollIntoView({ block: "nearest" }), [at]);

  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Go to a page, schedule or action"
        aria-expanded="true"
        aria-controls="go-list"
        aria-autocomplete="list"
        aria-activedescendant={active && idOf(at)}
        placeholder="Page, schedule name or id, action"
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        value={text}
        onInput={({ currentTarget }) => {
          isEntered.current = false;
          setMessage("");
          setChosen(undefined);
          setText(currentTarget.value.trimStart());
        }}
        onKeyDown={onKeyDown}
      />
      <Matches groups={groups} active={active} run={run} />
      <p class="help" role="status">
        {message || statusOf(options.length - searchEntries(text).length, schedules)}
      </p>
    </>
  );
}

function Matches({ groups, active, run }: {
  readonly groups: ReturnType<typeof grouped<Option>>;
  readonly active: Option | undefined;
  readonly run: (option: Option) => void;
}) {
  const options = groups.flatMap(([, of]) => of);
  return (
    <div id="go-list" role="listbox" aria-label="Matches" tabIndex={-1}>
      {groups.map(([group, of]) => (
        <div key={group} role="group" aria-labelledby={`palette-${group}`}>
          <div id={`palette-${group}`} class="help" role="presentation">{group}</div>
          {of.map((option) => (
            <div
              key={keyOf(option)}
              id={idOf(options.indexOf(option))}
              role="option"
              aria-selected={option === active}
              onClick={() => run(option)}
            >
              {option.name} {"note" in option && <span class="help">{option.note}</span>}
              {"strip" in option && option.strip && <SmallStrip {...option.strip} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function keyOf({ group, name }: Option): string {
  return `${group} ${name}`;
}

function idOf(index: number): string {
  return `go-${index}`;
}

function statusOf(
  count: number,
  { found: { entries, total }, isLoading, hasFailed }: ReturnType<typeof useSchedules>,
): string {
  if (hasFailed) return "Schedules could not be loaded.";
  if (isLoading) return "Loading…";
  if (count === 0) return "No matches.";
  if (total <= entries.length) return count === 1 ? "1 match" : `${count} matches`;
  return `${entries.length} of ${total} schedules: type more to narrow them down.`;
}

const NONE: FoundSchedules = { entries: [], people: [], total: 0 };

/** The schedules that match the typed text. Late answers are dropped. */
function useSchedules(text: string) {
  const [{ of, found }, setAnswer] = useState<
    { readonly of: string | null; readonly found: FoundSchedules | null }
  >({ of: null, found: NONE });
  useEffect(() => {
    const cancel = new AbortController();
    loadSchedules(text.trim(), cancel.signal).catch(() => null).then((found) => {
      if (!cancel.signal.aborted) setAnswer({ of: text, found });
    });
    return () => cancel.abort();
  }, [text]);
  return { found: found ?? NONE, hasFailed: found === null, isLoading: of !== text };
}

async function loadSchedules(text: string, signal: AbortSignal): Promise<FoundSchedules> {
  // Addresses must not be in URLs.
  if (text.includes("@")) return NONE;
  const url = `/go/matches?${new URLSearchParams({ q: text })}`;
  // After the session ends, the server redirects to the sign-in page.
  const response = await fetch(url, { signal, redirect: "error" });
  if (!response.ok) throw new Error(`The matches could not be loaded: status ${response.status}`);
  return await response.json();
}
