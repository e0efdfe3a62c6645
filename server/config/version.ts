/** Replaced by the build: see fresh.config.ts. */
declare const DOCKET_VERSION: string;

/** The version, followed by a plus sign and the commit it was built from, if known. */
export const VERSION: string = DOCKET_VERSION;
