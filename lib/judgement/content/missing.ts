/** Finds runs in a row without content or without recipients, and runs to far fewer people. */
import { quantile } from "../../runs/quantiles.ts";
import * as numbers from "./content_numbers.ts";

interface Run {
  readonly id: number;
  readonly time: number;
}

/** Runs of which some are empty, oldest first. */
export class EmptySeries {
  /** The newest runs, if they are empty. */
  streak: Run[] = [];
  #earlier: boolean[] = [];

  add({ id, time }: Run, isEmpty: boolean): void {
    if (isEmpty) {
      this.streak.push({ id, time });
      return;
    }
    this.#earlier.push(...this.streak.map(() => true), false);
    while (this.#earlier.length > numbers.EMPTY.runs) this.#earlier.shift();
    this.streak = [];
  }

  /** The newest empty runs, unless earlier ones show that this is usual. */
  get unusual(): readonly Run[] | null {
    const { most, episodes } = numbers.EMPTY;
    const earlier = this.#earlier;
    const isKnown = earlier.length >= numbers.KNOWN_RUNS &&
      earlier.filter((isEmpty) => isEmpty).length < most * earlier.length;
    if (this.streak.length === 0 || !isKnown) return null;
    // Empty, empty, not, empty -> "00 0" -> 2 and 1.
    const lengths = earlier.map((isEmpty) => isEmpty ? "0" : " ").join("").trim().split(/ +/)
      .map((episode) => episode.length).filter((length) => length > 0);
    const isUsual = lengths.length >= episodes && this.streak.length <= 2 * Math.max(...lengths);
    return isUsual ? null : this.streak;
  }
}

/** Runs that went to at most half of the people. */
interface Drop {
  /** Oldest first. */
  readonly runs: readonly Run[];
  /** How many people is usual, and to how many the newest run went. */
  readonly before: number;
  readonly after: number;
}

/** How many people runs went to, oldest first. */
export class PeopleSeries {
  /** The drop that is not usual yet, and the last one that became usual. */
  drop: Drop | null = null;
  usualDrop: Drop | null = null;
  /** To how many people the newest runs went, and the newest without a drop. */
  readonly #counts: number[] = [];
  #usual: number[] = [];

  constructor(readonly expected: ReadonlySet<number>) {}

  add({ id, time }: Run, count: number): void {
    const drop = this.drop = this.#dropTo(count, { id, time });
    if (drop === null) this.#usual = [...this.#usual, count].slice(-numbers.PEOPLE.runs);
    else if (drop.runs.length >= numbers.USUAL_AFTER || this.expected.has(drop.runs[0].id)) {
      this.#usual = this.#usual.map(() => count);
      [this.drop, this.usualDrop] = [null, drop];
    }
    this.#counts.push(count);
    if (this.#counts.length > numbers.EARLIER_RUNS) this.#counts.shift();
  }

  /** The drop with its newest run, or a new one; null if the people are back. */
  #dropTo(after: number, run: Run): Drop | null {
    if (this.drop) {
      const { runs, before } = this.drop;
      return after > before / 2 ? null : { runs: [...runs, run], before, after };
    }
    if (this.#usual.length < numbers.KNOWN_RUNS) return null;
    const before = quantile(this.#usual, 0.5)!;
    if (after > before / 2 || before - after < numbers.PEOPLE.least) return null;
    const few = numbers.LEVEL_OF_ONE.share * numbers.EARLIER_RUNS;
    const isUsual = this.#counts.filter((count) => count <= after).length >= few;
    return isUsual ? null : { runs: [run], before, after };
  }
}
