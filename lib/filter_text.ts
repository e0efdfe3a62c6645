/** A text that lists are filtered by. */

/** Longer texts are cut. */
export const MAX_TEXT = 100;

/** The text to filter by in a link, without what databases reject; empty if there is none. */
export function filterText(params: URLSearchParams, name: string): string {
  return params.get(name)?.replaceAll("\0", "").trim().slice(0, MAX_TEXT).toWellFormed() ?? "";
}
