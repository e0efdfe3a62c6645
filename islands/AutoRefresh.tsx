import { formatMoment } from "../lib/moments.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isOfOtherVersion, loadDocument, replaceParts } from "../components/ui/replace_parts.ts";
import { formatZone } from "../components/ui/moment.tsx";

const EVERY_MS = 30_000;

/** The interval while the page shows something in progress: an element with `data-busy`. */
const BUSY_MS = 2000;

/** How long nothing is replaced after the last input. */
const TYPING_MS = 10_000;

/** The longest pause, whatever the service asks for. */
const MAX_WAIT_MS = 3_600_000;

/** The key in the tab's session storage that says that updates are paused. */
const PAUSED = "docket-updates-paused";

/**
 * Refreshes the elements that have an id and `data-refreshed`, until the reader pauses updates.
 * Requests nothing while the page is hidden or somebody types. Screen readers announce changed
 * elements that have `data-announced`.
 */
export function AutoRefresh({ zone }: { readonly zone: string }) {
  const isOn = useSignal<boolean | null>(null);
  const updated = useSignal("");
  const message = useSignal("");
  const announced = useSignal("");
  const failure = useSignal<Refresh["error"]>(null);

  useEffect(() => {
    if (refreshedIds().length > 0) isOn.value = sessionStorage.getItem(PAUSED) === null;
  }, []);

  useEffect(() => {
    if (!isOn.value) return;
    const interval = () => document.querySelector("[data-busy]") ? BUSY_MS : EVERY_MS;
    let next = Date.now() + interval();
    let typed = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new AbortController();
    const { signal } = over;
    const at = (time: number) => `${formatMoment(time, zone).slice(11)} ${formatZone(zone)}`;
    const schedule = () => {
      clearTimeout(timer);
      // As when a scan has ended.
      if (refreshedIds().length === 0) isOn.value = null;
      if (isOn.value === null || document.visibilityState === "hidden") return;
      timer = setTimeout(refresh, Math.max(0, next - Date.now()));
    };
    const refresh = async () => {
      const now = Date.now();
      // A refresh would clear ticked boxes.
      const isChoosing = document.querySelector("main input:checked:not([checked])") !== null;
      if (isChoosing || now < typed + TYPING_MS) {
        next = isChoosing ? now + EVERY_MS : typed + TYPING_MS;
        return schedule();
      }
      const before = announcements();
      const { error, waitMs } = await refreshParts();
      if (signal.aborted) return;
      next = now + Math.max(interval(), waitMs);
      failure.value = error;
      message.value = error && error !== "updated"
        ? `Update failed at ${at(now)}. Next attempt at ${at(next)}. `
        : "";
      if (error === null) updated.value = `Updated ${at(now)}`;
      announced.value = announcements().filter((text) => !before.includes(text)).join(" ");
      schedule();
    };
    schedule();
    document.addEventListener("visibilitychange", schedule, { signal });
    document.addEventListener("input", () => typed = Date.now(), { signal });
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [isOn.value]);

  function toggle() {
    if (isOn.value) sessionStorage.setItem(PAUSED, "yes");
    else sessionStorage.removeItem(PAUSED);
    isOn.value = !isOn.value;
  }

  // Without JavaScript, or anything to refresh, the button would do nothing.
  if (isOn.value === null) return null;
  return (
    <p>
      <button type="button" class="quiet" onClick={toggle}>
        {isOn.value ? "Pause updates" : "Resume updates"}
      </button>{" "}
      <span>{updated.value}</span>{" "}
      <span role="status">
        {message.value}
        {failure.value === "signed out" && (
          <>
            You are no longer signed in. <a href="">Sign in again</a>
          </>
        )}
        {failure.value === "updated" && (
          <>
            Docket was updated. <a href="">Reload the page</a>
          </>
        )}
        <span class="unseen">{announced.value}</span>
      </span>
    </p>
  );
}

/** The texts as they are shown: `textContent` would have no space between two lines. */
function announcements(): string[] {
  return [...document.querySelectorAll<HTMLElement>("[data-announced]")]
    .map(({ innerText }) => innerText);
}

interface Refresh {
  readonly error: "signed out" | "updated" | "failed" | null;
  readonly waitMs: number;
}

function refreshedIds(): string[] {
  return [...document.querySelectorAll("[data-refreshed]")].map(({ id }) => id);
}

async function refreshParts(): Promise<Refresh> {
  const address = location.href.replace(/#.*/, "");
  const answer = await loadDocument(address);
  const retryAfterMs = Number(answer.getResponseHeader("retry-after")) * 1000 || 0;
  const waitMs = Math.min(retryAfterMs, MAX_WAIT_MS);
  // A redirect leads to the sign-in page. Without a response there is no URL.
  const isElsewhere = ![address, ""].includes(answer.responseURL);
  if (isElsewhere || answer.status === 401) return { error: "signed out", waitMs };
  if (isOfOtherVersion(answer.responseXML)) return { error: "updated", waitMs };
  const isShown = answer.status === 200 && replaceParts(refreshedIds(), answer.responseXML);
  return { error: isShown ? null : "failed", waitMs };
}
