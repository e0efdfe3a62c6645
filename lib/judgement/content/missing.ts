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
    const earlier = [...this.#earlier, ...this.streak.map(() => true), false];
    [this.#earlier, this.streak] = [earlier.slice(-numbers.EMPTY.runs), []];
  }

  /** The newest empty runs, unless earlier ones show that this is usual. */
  get unusual(): readonly Run[] | null {
    const { least, most, episodes } = numbers.EMPTY;
    const earlier = this.#earlier;
    const isKnown = earlier.length >= least &&
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

  add(run: Run, count: number): void {
    const drop = this.drop = this.#dropTo(count, run);
    if (drop === null) this.#usual = [...this.#usual, count].slice(-numbers.PEOPLE.runs);
    else if (drop.runs.length >= numbers.USUAL_AFTER || this.expected.has(drop.runs[0].id)) {
      this.#usual = this.#usual.map(() => count);
      [this.drop, this.usualDrop] = [null, drop];
    }
    this.#counts.push(count);
  }

  /** The drop with its newest run, or a new one; null if the people are back. */
  #dropTo(after: number, run: Run): Drop | null {
    const { runs = [], before = quantile(this.#usual, 0.5) ?? 0 } = this.drop ?? {};
    if (this.#usual.length < numbers.PEOPLE.runs || after > before / 2) return null;
    if (runs.length > 0) return { runs: [...runs, run], before, after };
    const earlier = this.#counts.slice(-numbers.EARLIER_RUNS);
    const isUsual = earlier.filter((count) => count <= after).length >= numbers.PEOPLE.usual;
    return isUsual || before - after < numbers.PEOPLE.least ? null : { runs: [run], before, after };
  }
}
