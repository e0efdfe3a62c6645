/** What statuses mean, for scripts and the command line: the first of the API of Docket's records. */
import type { Actor } from "../../lib/judgement/actor.ts";
import { readStatuses, type StatusDictionary } from "../../lib/runs/status.ts";
import { ProblemError, throwIfInvalid } from "../http/problem.ts";
import { readJsonBody } from "../http/request_body.ts";
import { jsonResponse } from "../http/text_response.ts";
import { dictionaryFrom, type StoredStatuses } from "../store/records/statuses.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** The most statuses that people may explain. */
export const MAX_STATUSES = 1000;

interface StatusesCall {
  readonly request: Request;
  readonly records: ObserverRecords | null;
  readonly setting: StatusDictionary;
  readonly actor: Actor;
}

export async function answerStatuses(call: StatusesCall): Promise<Response> {
  const { request, records, actor } = call;
  if (request.method === "PUT") {
    if (!records) {
      throw new ProblemError(404, "Docket has no database for meanings: set STATUSES instead");
    }
    const statuses = readBody(await readJsonBody(request));
    await records.statuses.say(statuses, { actor, now: Date.now() });
  }
  const database = await records?.service.databaseId() ?? null;
  const stored = await records?.statuses.get() ?? { setting: call.setting, said: {} };
  return await jsonResponse(request, { database, statuses: listed(stored) });
}

function listed(stored: StoredStatuses): readonly object[] {
  const { setting, said } = stored;
  return Object.entries(dictionaryFrom(stored)).map(([status, meaning]) => ({
    status,
    meaning,
    source: Object.hasOwn(said, status)
      ? "person"
      : Object.hasOwn(setting, status)
      ? "setting"
      : "known",
  }));
}

function readBody(body: unknown): StatusDictionary {
  const { statuses: list } = (body ?? {}) as { readonly statuses?: unknown };
  const detail = `must be a list of at most ${MAX_STATUSES} statuses and meanings`;
  if (!Array.isArray(list) || list.length > MAX_STATUSES) {
    throwIfInvalid([{ pointer: "/statuses", detail }]);
  }
  const { statuses, faults } = readStatuses(
    (list as unknown[]).map((each) => {
      const { status, meaning } = (each ?? {}) as { status?: unknown; meaning?: unknown };
      return [status, meaning] as const;
    }),
  );
  throwIfInvalid(faults.map(({ at, detail }) => ({ pointer: `/statuses/${at}`, detail })));
  return statuses;
}
