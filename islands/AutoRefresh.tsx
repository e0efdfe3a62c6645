import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatMoment, zoneWords } from "../components/zone.ts";

/** The choices in seconds; none is shorter than half a minute. */
const CHOICES = [0, 30, 60, 300] as const;

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

  useEffect(() => {
    ready.value = true;
  }, []);

  useEffect(() => {
    const ms = chosen.value * 1000;
    if (ms === 0) return;
    let last = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isHidden = () => document.visibilityState === "hidden";
    const schedule = () => {
      clearTimeout(timer);
      if (!isHidden()) timer = setTimeout(refresh, Math.max(0, last + ms - Date.now()));
    };
    const refresh = async () => {
      last = Date.now();
      const now = `${formatMoment(new Date().toISOString(), zone)} ${zoneWords(zone)}`;
      said.value = await renew(part) ? `Refreshed at ${now}` : `Could not be refreshed at ${now}`;
      schedule();
    };
    schedule();
    document.addEventListener("visibilitychange", schedule);
    return () => {
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
      <span role="status">{said.value}</span>
    </p>
  );
}

function choiceWords(seconds: number): string {
  if (seconds === 0) return "by hand";
  return seconds < 60 ? `every ${seconds} s` : `every ${seconds / 60} min`;
}

/** Gets the page anew and puts the part of it in its place; the focus stays on the same link. */
async function renew(part: string): Promise<boolean> {
  const present = document.getElementById(part);
  const next = (await pageAnew())?.getElementById(part);
  if (!present || !next) return false;
  const focused = present.contains(document.activeElement)
    ? document.activeElement?.getAttribute("href")
    : null;
  present.replaceChildren(...next.childNodes);
  if (focused) present.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

/**
 * This page, as the server renders it now; null when it can't be had. The page's policy allows no
 * script to make markup of a text, so the browser is asked for a document.
 */
function pageAnew(): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const address = location.href.replace(/#.*/, "");
    request.onloadend = () => {
      // Led elsewhere, it would be the page for signing in.
      const isWhole = request.status === 200 && request.responseURL === address;
      resolve(isWhole ? request.responseXML : null);
    };
    request.open("GET", address);
    request.responseType = "document";
    request.send();
  });
}
