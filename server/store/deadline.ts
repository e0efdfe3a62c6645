/** How long a search may take. */
export const DEADLINE_MS = 15_000;
