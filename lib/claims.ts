/**
 * What a service claims of its pages: how many rows there are, how many a page has at most, where it
 * begins. Each claim is believed until rows disprove it, and never again after that.
 *
 * @module
 */

import { isCount } from "./check.ts";
import type { DriftLog } from "./drift_log.ts";
import type { PageView } from "./walk.ts";

/** A claim that rows can disprove. */
export type Claim = "total" | "limit" | "offset";

/** The claims of a service. */
export interface Claims {
  /** Number of all rows, while that is believed. */
  readonly total: number | undefined;
  /**
   * Reads where a page begins.
   *
   * @param view The page.
   * @param offset Where it was asked to begin.
   * @param couldBegin Whether the rows of the page could begin at an earlier place.
   * @returns Where it begins.
   */
  readOffset(view: PageView<unknown>, offset: number, couldBegin: boolean): number;
  /**
   * Reads how many rows a page has at most.
   *
   * @param view The page.
   * @param offset Where it begins.
   * @param asked How many were asked for.
   * @returns The most rows.
   */
  readLimit(view: PageView<unknown>, offset: number, asked: number): number;
  /**
   * Reads the number of all rows.
   *
   * @param view The page.
   * @param offset Where it begins.
   * @returns Whether the number grew.
   */
  readTotal(view: PageView<unknown>, offset: number): boolean;
}

/**
 * Believes every claim.
 *
 * @param log Takes in what does not add up.
 * @param total The number of all rows, where an earlier walk knows it.
 * @returns The claims.
 */
export function createClaims(log: DriftLog, total?: number): Claims {
  const disproved = new Set<Claim>();
  const read = (claim: Claim, view: PageView<unknown>) => {
    const value = view[claim];
    return isCount(value) && !disproved.has(claim) ? value : undefined;
  };
  const disprove = (claim: Claim, offset: number, claimed: number, seen: number) => {
    disproved.add(claim);
    const words = `the service says ${claim} ${claimed}, but its rows say ${seen}`;
    log.add({ kind: "contradiction", offset, claim, claimed, seen }, words);
  };

  return {
    get total() {
      return total;
    },
    readOffset(view, offset, couldBegin) {
      const claimed = view.items.length > 0 ? read("offset", view) ?? offset : offset;
      if (claimed >= offset || couldBegin) return claimed;
      disprove("offset", offset, claimed, offset);
      return offset;
    },
    readLimit(view, offset, asked) {
      const claimed = read("limit", view) || asked;
      const count = view.items.length;
      // More rows than were asked for contradict no claim, unless there is a lower one.
      if (count <= claimed || claimed >= asked) return Math.min(claimed, asked);
      disprove("limit", offset, claimed, count);
      return asked;
    },
    readTotal(view, offset) {
      const before = total;
      total = read("total", view) ?? total;
      if (total === undefined) return false;
      const end = offset + view.items.length;
      if (view.items.length > 0 && end > total) {
        const claimed = total;
        total = undefined;
        disprove("total", offset, claimed, end);
        return false;
      }
      if (before === undefined || before === total) return false;
      log.add(
        { kind: "total", offset, from: before, to: total },
        `the total was ${before} and is ${total}`,
      );
      return total > before;
    },
  };
}
