/** Says how a run ended, from the meanings of the statuses. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import {
  defaultStatusDictionary,
  meaningOf,
  shortStatus,
  type StatusDictionary,
} from "../../lib/runs/status.ts";
import { Marked } from "../ui/marked.tsx";

/** What the service's statuses mean. */
export const Statuses = createContext(defaultStatusDictionary());

const RESULTS = {
  good: ["✓", "good", "Sent"],
  bad: ["✕", "bad", "Failed"],
  pending: ["○", "neutral", "Running"],
  unknown: ["?", "neutral", "Unknown"],
} as const;

/** What a run's status says, such as `Sent`, or `Unknown (ARCHIVED)`. */
export function resultWords(
  status: string | null | undefined,
  dictionary: StatusDictionary,
): string {
  const meaning = meaningOf(status, dictionary);
  const words = RESULTS[meaning][2];
  return meaning === "unknown" ? `${words} (${shortStatus(status ?? null)})` : words;
}

/** How a run ended, such as `✕ Failed`, beside a heading. */
export function ResultBadge({ status }: { readonly status: string | null | undefined }) {
  const dictionary = useContext(Statuses);
  const mark = RESULTS[meaningOf(status, dictionary)];
  return <Marked mark={mark} look="badge">{resultWords(status, dictionary)}</Marked>;
}
