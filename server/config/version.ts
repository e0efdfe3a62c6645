/** Put in by the build: see fresh.config.ts. */
declare const DOCKET_VERSION: string;

/** The version that was built, and behind a plus sign what it was built from, where that is known. */
export const VERSION: string = DOCKET_VERSION;
