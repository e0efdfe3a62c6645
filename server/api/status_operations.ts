/** What statuses mean, for scripts and the command line. */
import { MEANINGS } from "../../lib/runs/status.ts";
import type { ActionServices } from "../actions/action_services.ts";
import { MAX_STATUSES, saveStatuses } from "../actions/save_statuses.ts";
import { choice, list, named, nullable, record, text } from "../http/shape.ts";
import { dictionaryFrom, type StoredStatuses } from "../store/records/statuses.ts";
import { operation } from "./operation.ts";

const MEANING = { status: text(), meaning: choice(MEANINGS) };
/** Which words are meanings is checked together with the statuses. */
const SAID_MEANING = { ...text(), schema: choice(MEANINGS).schema };
const SAID = named(
  "SaidStatuses",
  record({ statuses: list(record({ ...MEANING, meaning: SAID_MEANING }), { max: MAX_STATUSES }) }),
);
const ANSWER = named(
  "StatusMeanings",
  record({
    database: nullable(text({ description: "A random id of Docket's database" })),
    serviceZone: text({ description: "The zone of the service's times without one" }),
    statuses: list(record({ ...MEANING, source: choice(["person", "setting", "known"]) })),
  }),
);

const PATH = "/statuses";

export const STATUS_OPERATIONS = [
  operation("GET", PATH, "getStatuses", {
    summary: "What statuses mean",
    description: "Every status with a meaning: what people said wins over the setting STATUSES, " +
      "and that over the words that are known from the start. Others are unknown.",
    answer: ANSWER,
    handle: ({ services }) => readMeanings(services),
    withoutRecords: ({ statuses, serviceZone }) => ({
      database: null,
      serviceZone,
      statuses: meanings({ setting: statuses, said: {} }),
    }),
  }),
  operation("PUT", PATH, "putStatuses", {
    summary: "Say what statuses mean",
    description: "Replaces what people said. Case does not matter, and _ and - are blanks.",
    body: SAID,
    answer: ANSWER,
    async handle({ services, body, acting }) {
      await saveStatuses(services, body, acting);
      return await readMeanings(services);
    },
  }),
];

async function readMeanings({ records, settings }: ActionServices) {
  return {
    database: (await records.service.get()).id,
    serviceZone: settings.serviceZone,
    statuses: meanings(await records.statuses.get()),
  };
}

function meanings(stored: StoredStatuses) {
  const { setting, said } = stored;
  return Object.entries(dictionaryFrom(stored)).map(([status, meaning]) => ({
    status,
    meaning,
    source: Object.hasOwn(said, status)
      ? "person" as const
      : Object.hasOwn(setting, status)
      ? "setting" as const
      : "known" as const,
  }));
}
