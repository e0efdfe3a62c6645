/** Erases a person from the records. */
import { isAddress } from "../config/observer_settings.ts";
import { invalidRequest } from "../http/problem.ts";
import type { Erasure } from "../store/people/forget.ts";
import type { ActionServices } from "./action_services.ts";

/**
 * Erases the person with this user id or address, and nobody else.
 *
 * @throws {ProblemError} With the pointer `/person`, or status 409 if it is not one person
 */
export async function forgetPerson(
  { records, sealing }: Pick<ActionServices, "records" | "sealing">,
  person: number | string,
): Promise<Erasure> {
  if (typeof person === "string" && !isAddress(person)) {
    throw invalidRequest([{ pointer: "/person", detail: "must be an address or a user id" }]);
  }
  return await records.forget(person, sealing);
}
