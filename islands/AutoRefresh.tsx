import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadDocument } from "../components/ui/load_document.ts";
import { replaceParts } from "../components/ui/replace_parts.ts";
import { formatMoment, formatZone } from "../components/ui/zone.ts";

/** The intervals to choose from, in seconds; 0 is off. */
const INTERVALS = [0, 30, 60, 300] as const;

/** Longer delays that a service asks for are cut short. */
const MAX_WAIT_MS = 3_600_000;

/**
 * Refreshes parts of the page at an interval that the reader chooses. A hidden page requests
 * nothing.
 */
export function AutoRefresh({ parts, seconds, zone }: {
  /** Ids of elements. */
  readonly parts: readonly string[];
  readonly seconds: number;
  readonly zone: string;
}) {
  const chosen = useSignal<number>(INTERVALS.find((choice) => choice === seconds) ?? 0);
  const ready = useSignal(false);
  const message = useSignal("");
  const signedOut = useSignal(false);

  useEffect(() => {
    ready.value = true;
  }, []);

  useEffect(() => {
    const ms = chosen.value * 1000;
    if (ms === 0) return;
    let next = Date.now() + ms;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const at = (time: number) => `${formatMoment(time, zone)} ${formatZone(zone)}`;
    const isHidden = () => document.visibilityState === "hidden";
    const schedule = () => {
      clearTimeout(timer);
      if (!isHidden()) timer = setTimeout(refresh, Math.max(0, next - Date.now()));
    };
    const refresh = async () => {
      const now = Date.now();
      const { error, waitMs } = await refreshParts(parts);
      if (isOver) return;
      next = now + Math.max(ms, waitMs);
      signedOut.value = error === "signed out";
      message.value = error
        ? `Refresh failed at ${at(now)}. Next attempt at ${at(next)}. `
        : `Refreshed at ${at(now)}`;
      schedule();
    };
    schedule();
    document.addEventListener("visibilitychange", schedule);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", schedule);
    };
  }, [chosen.value]);

  function choose(event: Event) {
    chosen.value = Number((event.currentTarget as HTMLSelectElement).value);
    const url = new URL(location.href);
    if (chosen.value > 0) url.searchParams.set("refresh", String(chosen.value));
    else url.searchParams.delete("refresh");
    // Commas need no encoding in a query, and read better without.
    history.replaceState(null, "", String(url).replaceAll("%2C", ","));
    // So that the links and forms of the parts keep the choice.
    refreshParts(parts);
  }

  // Without JavaScript the control would do nothing.
  if (!ready.value) return null;
  return (
    <p class="refresh">
      <label for="refresh">Refresh</label>{" "}
      <select id="refresh" value={chosen.value} onChange={choose}>
        {INTERVALS.map((choice) => (
          <option key={choice} value={choice}>{intervalLabel(choice)}</option>
        ))}
      </select>{" "}
      <span role="status">
        {message.value}
        {signedOut.value && (
          <>
            You are no longer signed in. <a href="">Sign in again</a>
          </>
        )}
      </span>
    </p>
  );
}

function intervalLabel(seconds: number): string {
  if (seconds === 0) return "off";
  return seconds < 60 ? `every ${seconds} s` : `every ${seconds / 60} min`;
}

/** The outcome of a refresh, and the delay that the service asks for. */
interface Refresh {
  readonly error: "signed out" | "failed" | null;
  readonly waitMs: number;
}

function addressNow(): string {
  return location.href.replace(/#.*/, "");
}

/** Loads the page again and replaces the parts. */
async function refreshParts(parts: readonly string[]): Promise<Refresh> {
  const address = addressNow();
  const answer = await loadDocument(address);
  const retryAfterMs = Number(answer.getResponseHeader("retry-after")) * 1000 || 0;
  const waitMs = Math.min(retryAfterMs, MAX_WAIT_MS);
  // A redirect leads to the sign-in page. Without a response there is no URL.
  const isElsewhere = ![address, ""].includes(answer.responseURL);
  if (isElsewhere || answer.status === 401) return { error: "signed out", waitMs };
  // The links of an answer to an earlier choice would undo the later one.
  if (address !== addressNow()) return { error: null, waitMs };
  const isShown = answer.status === 200 && replaceParts(parts, answer.responseXML);
  return { error: isShown ? null : "failed", waitMs };
}
