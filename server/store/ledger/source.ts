/** The source of runs. Runs, recipients and people of two sources are never mixed. */

/** The embedded service's own runs. */
export const EMBEDDED = 0;
/** Runs that the observer read from the service. */
export const OBSERVED = 1;

export type LedgerSource = typeof EMBEDDED | typeof OBSERVED;
