/**
 * What a run's status means. The interface lists no statuses, so a dictionary says which are good
 * and which are bad. Each reader may have a different one.
 */

/** What each known status means; its keys are lower case. */
export type StatusDictionary = Readonly<Record<string, "good" | "bad" | "neutral">>;

/** What a status means. */
export type StatusMeaning = StatusDictionary[string];

/**
 * What the statuses of Docket's embedded service mean.
 *
 * @returns The dictionary that is used until the reader changes it.
 */
export function defaultStatusDictionary(): StatusDictionary {
  return { success: "good", failure: "bad" };
}

/**
 * What a status means, ignoring case. A status that is missing or not in the dictionary is neutral,
 * so it is never good by accident.
 *
 * @param status The status, as the service sent it.
 * @param dictionary What each status means.
 */
export function meaningOf(
  status: string | null | undefined,
  dictionary: StatusDictionary,
): StatusMeaning {
  const key = status?.toLowerCase() ?? "";
  return Object.hasOwn(dictionary, key) ? dictionary[key] : "neutral";
}
