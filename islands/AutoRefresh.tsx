import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatMoment, zoneWords } from "../components/ui/zone.ts";

/** The choices in seconds; none is shorter than half a minute. */
const CHOICES = [0, 30, 60, 300] as const;

/** A service may ask for any wait; after so long one may look again. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Renews a part of the page from time to time, as the reader chooses: the server renders it anew,
 * and it takes the old one's place. While the page is hidden nothing is asked for.
 */
export function AutoRefresh({ part, seconds, zone }: {
  /** Id of the element to renew. */
  readonly part: string;
  /** The choice that the URL has. */
  readonly seconds: number;
  readonly zone: string;
}) {
  const chosen = useSignal<number>(CHOICES.find((choice) => choice === seconds) ?? 0);
  const ready = useSignal(false);
  const said = useSignal("");
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
    const at = (time: number) =>
      `${formatMoment(new Date(time).toISOString(), zone)} ${zoneWords(zone)}`;
    const isHidden = () => document.visibilityState === "hidden";
    const schedule = () => {
      clearTimeout(timer);
      if (!isHidden()) timer = setTimeout(refresh, Math.max(0, next - Date.now()));
    };
    const refresh = async () => {
      const now = Date.now();
      const { fault, waitMs } = await renew(part);
      if (isOver) return;
      next = now + Math.max(ms, waitMs);
      signedOut.value = fault === "signed out";
      said.value = fault
        ? `Could not be refreshed at ${at(now)}, trying again at ${at(next)}. `
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
    // Commas may stand in a query as they are, and read better so.
    history.replaceState(null, "", String(url).replaceAll("%2C", ","));
  }

  // Without JavaScript there would be a control that does nothing.
  if (!ready.value) return null;
  return (
    <p class="refresh">
      <label for="refresh">Refresh</label>{" "}
      <select id="refresh" value={chosen.value} onChange={choose}>
        {CHOICES.map((choice) => <option key={choice} value={choice}>{choiceWords(choice)}
        </option>)}
      </select>{" "}
      <span role="status">
        {said.value}
        {signedOut.value && (
          <>
            You are no longer signed in. <a href="">Sign in again</a>
          </>
        )}
      </span>
    </p>
  );
}

function choiceWords(seconds: number): string {
  if (seconds === 0) return "by hand";
  return seconds < 60 ? `every ${seconds} s` : `every ${seconds / 60} min`;
}

/** What came of renewing a part, and how long the service wants to be left alone after it. */
interface Renewal {
  readonly fault: "signed out" | "failed" | null;
  readonly waitMs: number;
}

/** Gets the page anew and puts the part of it in its place; the focus stays on the same link. */
async function renew(part: string): Promise<Renewal> {
  const address = location.href.replace(/#.*/, "");
  const answer = await pageAnew(address);
  const askedMs = Number(answer.getResponseHeader("retry-after")) * 1000 || 0;
  const waitMs = Math.min(askedMs, LONGEST_WAIT_MS);
  // Led elsewhere, it is the page for signing in; without an answer it is nowhere.
  const isElsewhere = ![address, ""].includes(answer.responseURL);
  if (isElsewhere || answer.status === 401) return { fault: "signed out", waitMs };
  const present = document.getElementById(part);
  const next = answer.responseXML?.getElementById(part);
  if (answer.status !== 200 || !present || !next) return { fault: "failed", waitMs };
  const focused = present.contains(document.activeElement)
    ? document.activeElement?.getAttribute("href")
    : null;
  present.replaceChildren(...next.childNodes);
  if (focused) present.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus();
  return { fault: null, waitMs };
}

/**
 * A page, as the server renders it now. The page's policy allows no script to make markup of a text,
 * so the browser is asked for a document.
 */
function pageAnew(address: string): Promise<XMLHttpRequest> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onloadend = () => resolve(request);
    request.open("GET", address);
    request.responseType = "document";
    request.send();
  });
}
