/**
 * What a service claims of its pages: how many rows there are, how many a page has at most, where it
 * begins. Each claim is believed until rows disprove it, and never again after that.
 */
import { isCount } from "../check.ts";
import type { DriftLog } from "./drift_log.ts";
import type { PageView } from "./walk.ts";

/**
 * Reads one claim of a page.
 *
 * @param claim Which one.
 * @param view The page.
 * @param offset Where the page begins.
 * @param isDisproved Whether the rows disprove a value.
 * @param seen What the rows say instead.
 * @returns The value, or undefined when there is none that can be believed.
 */
export type ReadClaim = (
  claim: "total" | "limit" | "offset",
  view: PageView<unknown>,
  offset: number,
  isDisproved: (claimed: number) => boolean,
  seen: number,
) => number | undefined;

/**
 * Believes every claim at first.
 *
 * @param log Takes in what is disproved.
 * @returns Reads a claim.
 */
export function createClaims(log: DriftLog): ReadClaim {
  const disproved = new Set<string>();
  return (claim, view, offset, isDisproved, seen) => {
    const claimed = view[claim];
    if (!isCount(claimed) || disproved.has(claim)) return undefined;
    if (!isDisproved(claimed)) return claimed;
    disproved.add(claim);
    const words = `the service says ${claim} ${claimed}, but its rows say ${seen}`;
    log.add({ kind: "contradiction", offset, claim, claimed, seen }, words);
  };
}
