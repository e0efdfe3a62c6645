/** Says what statuses mean. */
import { readStatuses } from "../../lib/runs/status.ts";
import { throwIfInvalid } from "../http/problem.ts";
import type { Acting } from "../store/records/events.ts";
import type { ActionServices } from "./action_services.ts";

/** The most statuses that people may explain. */
export const MAX_STATUSES = 1000;

interface StatusesChange {
  readonly statuses: readonly { readonly status: string; readonly meaning: string }[];
  /** The statuses that it is about: what people said of others stays. Default: all. */
  readonly about?: readonly string[];
}

/**
 * Replaces what people said of statuses. What changes is judged and counted again.
 *
 * @throws {ProblemError} With pointers such as `/statuses/2`
 */
export async function saveStatuses(
  { records }: Pick<ActionServices, "records">,
  { statuses: said, about }: StatusesChange,
  acting: Acting,
): Promise<void> {
  const { statuses, faults } = readStatuses(said.map((each) => [each.status, each.meaning]));
  throwIfInvalid(faults.map(({ at, detail }) => ({ pointer: `/statuses/${at}`, detail })));
  await records.statuses.say(statuses, acting, about);
}
