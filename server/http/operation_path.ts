/** The paths of the interface's two operations. */

export type OperationPath =
  | { readonly name: "search"; readonly methods: readonly string[] }
  | {
    readonly name: "history";
    readonly methods: readonly string[];
    /** The schedule as the path has it. */
    readonly scheduleId: string;
  };

const SEARCH: OperationPath = { name: "search", methods: ["POST", "OPTIONS"] };
const HISTORY_METHODS = ["GET", "HEAD", "OPTIONS"];

/** The operation at a path in normal form, if there is one; a slash at the end makes no difference. */
export function operationAt(pathname: string): OperationPath | null {
  if (!pathname.startsWith("/api/")) return null;
  if (/^\/api\/files\/v1\/filesets\/search\/?$/.test(pathname)) return SEARCH;
  const history = /^\/api\/content\/v1\/reportschedules\/([^/]+)\/history\/?$/.exec(pathname);
  return history && { name: "history", methods: HISTORY_METHODS, scheduleId: history[1] };
}
