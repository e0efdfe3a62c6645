/** What a run's status means: the interface lists none, so each reader has a dictionary. */

/** What each known status means; its keys are lower case. */
export type StatusDictionary = Readonly<Record<string, "good" | "bad" | "neutral">>;

export type StatusMeaning = StatusDictionary[string];

/**
 * What the statuses of Docket's embedded service mean.
 *
 * @returns The dictionary that is used until the reader changes it.
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
