import { useEffect, useState } from "preact/hooks";
import type { FoundSchedules } from "./entries.ts";

const NONE: FoundSchedules = { entries: [], people: [], total: 0 };

/** The watched schedules for what is typed. An answer that comes too late is dropped. */
export function useSchedules(text: string) {
  const [state, setState] = useState<
    { readonly of: string | null; readonly found: FoundSchedules; readonly hasFailed: boolean }
  >({ of: null, found: NONE, hasFailed: false });
  useEffect(() => {
    const cancel = new AbortController();
    const onAnswer = (found: FoundSchedules, hasFailed: boolean) => {
      if (!cancel.signal.aborted) setState({ of: text, found, hasFailed });
    };
    loadSchedules(text.trim(), cancel.signal).then(
      (found) => onAnswer(found, false),
      () => onAnswer(NONE, true),
    );
    return () => cancel.abort();
  }, [text]);
  return { ...state, isLoading: state.of !== text };
}

async function loadSchedules(text: string, signal: AbortSignal): Promise<FoundSchedules> {
  // An address does not belong in a link.
  if (text.includes("@")) return NONE;
  const url = `/go/matches?${new URLSearchParams({ q: text })}`;
  // After the session ends, the server redirects to the sign-in page.
  const response = await fetch(url, { signal, redirect: "error" });
  if (!response.ok) throw new Error(`The matches could not be loaded: status ${response.status}`);
  return await response.json();
}
