/** What a service sends otherwise than the interface says. */

/**
 * A field that came as something else than the interface says, or as an integer beyond 2^53, and was
 * left out.
 */
export interface Oddity {
  /** Where, for example `fileSets[].fileCount`. */
  readonly path: string;
  /** What was expected, for example `an integer`. */
  readonly expected: string;
  /** In how many rows. */
  readonly count: number;
}
