/** Tests of the channels that send messages, and messages that are sent again. */
import { ProblemError } from "../http/problem.ts";
import { testEvent } from "../observer/event.ts";
import { newMessageId, queueSteps } from "../observer/outbox.ts";
import { OutletError, type Send } from "../observer/outlets/outlet.ts";
import { createChannels, createOutlets } from "../observer/outlets/outlets.ts";
import type { ChannelKind } from "../store/records/owners.ts";
import type { ActionServices } from "./action_services.ts";
import type { OwnerServices } from "./save_owner.ts";

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

interface ChannelTest {
  readonly kind: ChannelKind;
  /** Why it failed; null if the message was sent. */
  readonly error: string | null;
}

/**
 * Sends a test message through each channel of an owner.
 *
 * @throws {ProblemError} With status 404 if there is no such owner
 */
export async function testChannels(
  { records, sealing, settings, send, origin }: OwnerServices & Pick<ActionServices, "origin"> & {
    readonly send?: Send;
  },
  name: string,
  now: number,
): Promise<readonly ChannelTest[]> {
  const owner = await records.owners.get(name);
  if (!owner) throw new ProblemError(404, "There is no such owner");
  const channels = createChannels({
    records,
    sealing,
    settings: settings.observer,
    ...send && { send },
  });
  return await Promise.all(owner.channels.map(async ({ id, kind }) => {
    try {
      const outlet = await channels.open(id);
      const message = { id: newMessageId(), event: testEvent(now, origin) };
      return { kind, error: await outlet?.send([message], now) ?? null };
    } catch (error) {
      if (!(error instanceof OutletError)) throw error;
      return { kind, error: error.message };
    }
  }));
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
