/** Where runs come from. Runs, recipients and people of two sources are never mixed. */

/** The embedded service's own runs. */
export const OWN = 0;
/** Runs as the observer read them from the service. */
export const OBSERVED = 1;

export type LedgerSource = typeof OWN | typeof OBSERVED;
