/**
 * A service's claims about its pages: where a page begins, how many rows it may have, and how many
 * rows there are. Each claim is believed until rows disprove it, and never again after that.
 */
import { isCount } from "../../check.ts";
import { type Drift, DriftError } from "../../errors.ts";
import type { PageView, WalkOptions } from "./walk.ts";

export type Claims = ReturnType<typeof createClaims>;

/** Believes every claim at first, and logs each one that is disproved. */
export function createClaims(log: DriftLog) {
  const disproved = new Set<string>();

  /**
   * Reads one claim of a page that begins at `offset`. Returns undefined if there is none, or if rows
   * disprove it or have disproved it before; `seen` is what the rows show instead.
   */
  const read = (
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

  return {
    /** Where a page begins; `mayBeEarlier` is whether its rows allow less than `offset`. */
    offset(view: PageView<unknown>, offset: number, mayBeEarlier: boolean): number {
      if (view.items.length === 0) return offset;
      const isDisproved = (claimed: number) => claimed < offset && !mayBeEarlier;
      return read("offset", view, offset, isDisproved, offset) ?? offset;
    },
    /** The most rows that a page may have, if `requested` rows were requested. */
    limit(view: PageView<unknown>, offset: number, requested: number): number {
      const { length } = view.items;
      const isDisproved = (claimed: number) => claimed > 0 && claimed < Math.min(length, requested);
      return Math.min(requested, read("limit", view, offset, isDisproved, length) || requested);
    },
    /** The number of all rows, if it is known. `before` is the previous one; a change is logged. */
    total(
      view: PageView<unknown>,
      offset: number,
      before: number | undefined,
    ): number | undefined {
      const { length } = view.items;
      const end = offset + length;
      const isTooFew = (claimed: number) => length > 0 && end > claimed;
      const total = read("total", view, offset, isTooFew, end) ?? before;
      if (total === undefined || isTooFew(total)) return undefined;
      if (before !== undefined && before !== total) {
        log.add(
          { kind: "total", offset, from: before, to: total },
          `the total was ${before} and is ${total}`,
        );
      }
      return total;
    },
  };
}

const MAX_DRIFT = 100;

export class DriftLog {
  readonly drift: Drift[] = [];
  driftCount = 0;

  constructor(readonly onDrift: WalkOptions["onDrift"]) {}

  /** Adds an entry; throws a DriftError if `onDrift` is `"throw"`. */
  add(drift: Drift, words: string): void {
    this.driftCount++;
    if (this.drift.length < MAX_DRIFT) this.drift.push(drift);
    if (this.onDrift === "throw") {
      const what = drift.kind === "contradiction"
        ? "The service contradicted itself"
        : "Rows changed";
      throw new DriftError(drift, `${what} during the walk, at ${drift.offset}: ${words}`);
    }
    this.onDrift?.(drift);
  }
}
