/** Incidents: listing them, and acting on one. */
import { actorText } from "../../lib/actor.ts";
import { isMutedAt } from "../../lib/judgement/incidents/incident.ts";
import { actOnIncident, INCIDENT_ACTIONS } from "../actions/act_on_incident.ts";
import type { ActionServices } from "../actions/action_services.ts";
import { ProblemError } from "../http/problem.ts";
import {
  choice,
  integer,
  list,
  named,
  nullable,
  optional,
  record,
  type RecordOf,
  text,
  time,
} from "../http/shape.ts";
import { incidentTitle, knownSince } from "../observer/words.ts";
import type { StoredIncident } from "../store/records/incidents.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import { listOperation, operation } from "./operation.ts";

const LISTED = {
  id: text(),
  scheduleId: nullable(integer({ description: "Null for an incident of the service" })),
  code: text({ description: "Such as overdue or failing" }),
  severity: choice(["critical", "warning", "info"]),
  state: choice(["open", "acknowledged", "muted", "resolved"]),
  since: nullable(time({ description: "When its reason began" })),
  opened: time(),
  resolved: nullable(time()),
  acknowledged: nullable(time()),
  acknowledgedBy: nullable(text()),
  mutedUntil: nullable(time()),
  sentence: text(),
  owner: nullable(text()),
  url: text({ format: "uri" }),
};

const EVENT = record({
  at: time(),
  kind: text({ description: "Such as opened, grew, acknowledged or noted" }),
  by: nullable(text({ description: "Null for Docket itself" })),
  note: nullable(text()),
});

const INCIDENT = named("Incident", record(LISTED));
const INCIDENT_WITH_EVENTS = named(
  "IncidentWithEvents",
  record({ ...LISTED, events: list(EVENT, { description: "Oldest first" }) }),
);
const ONE = { incidentId: text() };

export const INCIDENT_OPERATIONS = [
  listOperation("/incidents", "listIncidents", {
    summary: "List incidents",
    description: "Open ones first, the most urgent before others; then newest first.",
    query: { state: optional(choice(["open", "all"], { default: "open" })) },
    item: INCIDENT,
    async load({ services, query, acting }, page) {
      const { items, total } = await services.records.incidents.list({
        ...query.state === "all" ? {} : { state: "open" },
        ...page,
      });
      return { items: await toListed(services, items, acting.now), total };
    },
  }),
  operation("GET", "/incidents/:incidentId", "getIncident", {
    summary: "Get an incident",
    description: "With its events: what happened to it, and what people did.",
    params: ONE,
    answer: INCIDENT_WITH_EVENTS,
    async handle({ services, params, acting }) {
      const incident = await services.records.incidents.get(params.incidentId);
      if (!incident) throw new ProblemError(404, "There is no such incident");
      return await toIncident(services, incident, acting.now);
    },
  }),
  operation("POST", "/incidents/:incidentId/events", "addIncidentEvent", {
    summary: "Act on an incident",
    description: "Adds an event to an incident, and answers the incident. muted needs until, and " +
      "noted a note. A state that does not allow it is a 409.",
    params: ONE,
    body: named(
      "IncidentAction",
      record({
        kind: choice(INCIDENT_ACTIONS),
        note: optional(text({ max: MAX_CHARACTERS.note })),
        until: optional(time()),
      }),
    ),
    answer: INCIDENT_WITH_EVENTS,
    async handle({ services, params, body, acting }) {
      const acted = await actOnIncident(services, { ...params, ...body }, acting);
      return await toIncident(services, acted, acting.now);
    },
  }),
];

async function toIncident(services: ActionServices, incident: StoredIncident, now: number) {
  const [listed] = await toListed(services, [incident], now);
  const { timeline, during } = services.records.events;
  const events = [...await timeline(incident.id), ...await during(incident)]
    .toSorted((a, b) => a.at - b.at);
  return {
    ...listed,
    events: events.map((event) => ({ ...event, by: event.actor && actorText(event.actor) })),
  };
}

async function toListed(
  { records, origin }: ActionServices,
  incidents: readonly StoredIncident[],
  now: number,
): Promise<readonly RecordOf<typeof LISTED>[]> {
  const facts = await records.overview.facts(incidents.map(({ scheduleId }) => scheduleId));
  const names = new Map([...facts].map(([id, { name }]) => [id, name]));
  return incidents.map((incident) => {
    const { acknowledgedBy, resolved, acknowledged } = incident;
    const { mutedUntil = null, owner = "" } = facts.get(incident.scheduleId ?? NaN) ?? {};
    const isMuted = [incident, { mutedUntil }].some((each) => isMutedAt(each, now));
    const open = isMuted ? "muted" : acknowledged === null ? "open" : "acknowledged";
    return {
      ...incident,
      since: knownSince(incident),
      state: resolved === null ? open : "resolved",
      acknowledgedBy: acknowledgedBy && actorText(acknowledgedBy),
      sentence: incidentTitle(incident, names, { written: now }),
      owner: owner || null,
      url: `${origin}/incidents/${encodeURIComponent(incident.id)}`,
    };
  });
}
