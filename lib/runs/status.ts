/**
 * What a run's status means. The interface lists no statuses, so a dictionary says which are good
 * and which are bad; the reader may have another one.
 */

/** How a status is judged. */
export type StatusMeaning = "good" | "bad" | "neutral";

/** What each known status means; its keys are lower case. */
export type StatusDictionary = Readonly<Record<string, StatusMeaning>>;

/**
 * What Docket's embedded service means by its statuses.
 *
 * @returns The dictionary that is used until the reader changes it.
 */
export function defaultStatusDictionary(): StatusDictionary {
  return { success: "good", failure: "bad" };
}

/**
 * What a status means by a dictionary, in whatever case it is written. A status that is missing, or
 * that the dictionary does not have, is neutral: never good by accident.
 *
 * @param status The status, as the service sent it.
 * @param dictionary What each status means.
 * @returns How to judge it.
 *
 * @example
 * ```ts
 * import { defaultStatusDictionary, meaningOf } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(meaningOf("Failure", defaultStatusDictionary()), "bad");
 * assertEquals(meaningOf("paused", defaultStatusDictionary()), "neutral");
 * ```
 */
export function meaningOf(
  status: string | null | undefined,
  dictionary: StatusDictionary,
): StatusMeaning {
  const key = status?.toLowerCase() ?? "";
  return Object.hasOwn(dictionary, key) ? dictionary[key] : "neutral";
}
