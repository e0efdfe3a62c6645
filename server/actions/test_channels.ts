/** Tests of the channels that send messages, and messages that are sent again. */
import { ProblemError } from "../http/problem.ts";
import { testEvent } from "../observer/event.ts";
import { queueSteps } from "../observer/outbox.ts";
import { createOutlets } from "../observer/outlets/outlets.ts";
import type { ActionServices } from "./action_services.ts";

type ChannelServices = Pick<ActionServices, "records" | "settings" | "origin">;

/**
 * Queues a test message for an outlet of the settings.
 *
 * @throws {ProblemError} With status 400 if it is not configured
 */
export async function testOutlet(
  { records, settings, origin }: ChannelServices,
  outletName: string,
  now: number,
): Promise<void> {
  const outlet = createOutlets(settings.observer).find(({ name }) => name === outletName);
  if (!outlet) throw new ProblemError(400, "That channel is not set up");
  const event = testEvent(now, origin);
  await records.commit(queueSteps(event, [outlet], { incidentId: null, now }));
}

/** @throws {ProblemError} With status 404 if there is no such message */
export async function sendMessageAgain(
  { records }: Pick<ActionServices, "records">,
  messageId: string,
  now: number,
): Promise<void> {
  if (!await records.messages.sendAgain(messageId, now)) {
    throw new ProblemError(404, "There is no such delivery");
  }
}
