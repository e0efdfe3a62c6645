/** Whose runs they are. People, recipients and runs of one source are never mixed with another's. */

/** The embedded service's own runs. */
export const OWN = 0;

/** Runs as the observer read them from the service. */
export const OBSERVED = 1;

export type LedgerSource = typeof OWN | typeof OBSERVED;
