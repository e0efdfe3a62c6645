/**
 * What a service claims of its pages: how many rows there are, how many a page has at most, where it
 * begins. Each claim is believed until rows disprove it, and never again after that.
 */
import { isCount } from "../../check.ts";
import type { DriftLog } from "./drift_log.ts";
import type { PageView } from "./walk.ts";

/** Believes every claim at first, and logs what is disproved. */
export function createClaims(log: DriftLog) {
  const disproved = new Set<string>();
  /**
   * Reads one claim of a page that begins at `offset`. Returns undefined when there is none, or when
   * the rows disprove it or have disproved it before; `seen` is what the rows say instead.
   */
  return (
    claim: "total" | "limit" | "offset",
    view: PageView<unknown>,
    offset: number,
    isDisproved: (claimed: number) => boolean,
    seen: number,
  ): number | undefined => {
    const claimed = view[claim];
    if (!isCount(claimed) || disproved.has(claim)) return undefined;
    if (!isDisproved(claimed)) return claimed;
    disproved.add(claim);
    const words = `the service says ${claim} ${claimed}, but its rows say ${seen}`;
    log.add({ kind: "contradiction", offset, claim, claimed, seen }, words);
  };
}
