/** What statuses mean. The interface lists none, so each reader has a dictionary. */

/** What each known status means; the keys are in lower case. */
export type StatusDictionary = Readonly<Record<string, "good" | "bad" | "neutral">>;

export type StatusMeaning = StatusDictionary[string];

/**
 * What the statuses of Docket's embedded service mean.
 *
 * @returns The dictionary that is used until a reader changes it.
 *
 * @example
 * ```ts
 * import { defaultStatusDictionary } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(defaultStatusDictionary(), { success: "good", failure: "bad" });
 * ```
 */
export function defaultStatusDictionary(): StatusDictionary {
  return { success: "good", failure: "bad" };
}

/** What a status means, ignoring case; one that is missing or unknown is neutral, never good. */
export function meaningOf(
  status: string | null | undefined,
  dictionary: StatusDictionary,
): StatusMeaning {
  const key = status?.toLowerCase() ?? "";
  return Object.hasOwn(dictionary, key) ? dictionary[key] : "neutral";
}
