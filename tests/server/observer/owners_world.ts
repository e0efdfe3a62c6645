/** Owners and their channels, and what these are sent. */
import { createSealing } from "../../../server/auth/sealing.ts";
import { type OwnerServices, saveOwner } from "../../../server/actions/save_owner.ts";
import { createChannels } from "../../../server/observer/outlets/outlets.ts";
import { ADA } from "../../actors.ts";
import { withWorld, type World } from "./world.ts";

type OwnerFields = Partial<Parameters<typeof saveOwner>[1]>;

/** A world whose owners have channels. */
export interface OwnersWorld extends World {
  readonly services: OwnerServices & World["services"];
  /** What channels were sent: the Slack URL, the text and the body. */
  readonly slack: { readonly url: string; readonly text: string; readonly all: string }[];
  /** The status with which a Slack URL answers, other than 200. */
  readonly answers: Map<string, number>;
  /** Adds or changes an owner, by default with a Slack channel whose URL ends with its name. */
  own(name: string, scheduleIds?: readonly number[], more?: OwnerFields): Promise<void>;
}

/** How each Slack URL here begins; the rest is the name of its channel. */
export const SLACK = "https://hooks.slack.com/services/";
export const HOOK = "http://hooks.example.com/x";
/** What is entered for a webhook: its URL and its secret. */
export const WEBHOOK = `${HOOK} whsec_${btoa("k".repeat(32))}`;

/** Runs a test with a world whose owners have Slack channels. */
export function withOwners(
  scheduleIds: readonly number[],
  test: (world: OwnersWorld) => Promise<void>,
): Promise<void> {
  const slack: OwnersWorld["slack"] = [];
  const answers = new Map<string, number>();
  const sealing = createSealing(["k".repeat(32)]);
  const observer = { mailServer: null, webhookHosts: ["hooks.example.com"] };
  const send = (url: string, init: RequestInit) => {
    const status = answers.get(url) ?? 200;
    const all = String(init.body);
    if (status === 200) slack.push({ url, text: JSON.parse(all).text, all });
    return Promise.resolve(new Response("ok", { status }));
  };
  return withWorld(scheduleIds, (world) => {
    const services = { ...world.services, sealing, settings: { observer }, send };
    const own: OwnersWorld["own"] = async (name, ids = [], more = {}) => {
      const channels = { slack: SLACK + encodeURIComponent(name) };
      const by = { actor: ADA, now: world.now() };
      await saveOwner(services, { name, channels, ...more }, by);
      for (const id of ids) await world.records.watches.change(id, { owner: name }, by.now);
    };
    return test({ ...world, services, slack, answers, own });
  }, { channelsOf: (records) => createChannels({ records, sealing, settings: observer, send }) });
}
