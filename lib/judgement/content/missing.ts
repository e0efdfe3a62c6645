/** Finds runs in a row without content or without recipients. */
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
