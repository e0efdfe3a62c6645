/** People who received reports, and decisions whether they are expected. */
import { actorText } from "../../lib/actor.ts";
import { maskAddresses, maskRecipient } from "../../lib/runs/recipients.ts";
import { decideRecipient, withdrawDecision } from "../actions/decide_recipient.ts";
import { forgetPerson } from "../actions/forget_person.ts";
import { requireRole } from "../actions/roles.ts";
import { ProblemError } from "../http/problem.ts";
import {
  choice,
  either,
  flag,
  integer,
  list,
  named,
  nullable,
  optional,
  record,
  text,
  time,
} from "../http/shape.ts";
import { domainsNow } from "../schedules/recipient_facts.ts";
import { PEOPLE_GROUPS, type StoredPerson } from "../store/people/people_list.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import { listOperation, operation, type OperationCall } from "./operation.ts";

const COUNT = integer({ min: 0 });
const MEMBERS = {
  id: integer({ min: 1, description: "Docket's own id" }),
  userId: nullable(integer()),
  displayName: nullable(text()),
  emailAddress: nullable(text({ description: "Masked, unless addresses=full" })),
  domain: nullable(text()),
  first: time({ description: "When they first received a known schedule" }),
  last: time(),
  schedules: COUNT,
  receiving: integer({ min: 0, description: "How many schedules they still receive" }),
  left: nullable(time({ description: "The end of the last day, in UTC" })),
};
const PERSON = record({
  ...MEMBERS,
  receipts: list(record({
    scheduleId: COUNT,
    first: time(),
    last: time(),
    runs: COUNT,
    receiving: flag(),
  })),
  decisions: list(record({
    id: integer(),
    expected: flag(),
    on: either(COUNT, text(), "must be a schedule, all or domain"),
    note: text(),
    by: text(),
    at: time(),
    until: nullable(time()),
  })),
});
const LISTED = named("Person", record(MEMBERS));
const PERSON_WITH_RECEIPTS = named("PersonWithReceipts", PERSON);
const ONE = { personId: integer({ min: 1 }) };
const ADDRESSES = {
  addresses: optional(choice(["masked", "full"] as const, {
    default: "masked",
    description: "Full ones are for operators, and logged",
  })),
};

type Call = OperationCall<unknown, { readonly addresses?: "masked" | "full" }>;

export const PEOPLE_OPERATIONS = [
  listOperation("/people", "listPeople", {
    summary: "List people",
    description: "Everybody who received a known schedule, those new outside and who left first.",
    query: { segment: optional(choice(PEOPLE_GROUPS, { default: "all" })), ...ADDRESSES },
    item: LISTED,
    async load(call, page) {
      const { services: { records, settings }, query, acting: { now } } = call;
      const domains = await domainsNow(records, settings, now);
      const filter = { ...domains, group: query.segment ?? "all" };
      const [items, total] = await Promise.all([
        records.people.list(filter, page),
        records.people.count(filter),
      ]);
      const isFull = showsAddresses(call);
      return { items: items.map((person) => toPerson(person, isFull)), total };
    },
  }),
  operation("POST", "/people/forgotten", "forgetPerson", {
    summary: "Erase a person",
    description:
      "Their addresses and names, from everything that Docket stores. Runs then list a " +
      "forgotten person. A 409 if this is not one person. Unused parts of SQLite's file may still " +
      "have them until deno task forget has rewritten it.",
    body: record({
      person: either(integer(), text({ max: 1000 }), "must be an address or a user id"),
    }),
    answer: record({
      runs: integer({ min: 0, description: "How many runs listed the person" }),
      tables: integer({ min: 0, description: "How many other tables named the person" }),
      isShared: flag({ description: "Somebody else has an address or a name of theirs: it stays" }),
      channels: list(text(), { description: "What became of owners' mail channels" }),
    }),
    async handle({ services, body, acting, log }) {
      const erasure = await forgetPerson(services, body.person);
      log.info("A person was erased", { actor: maskAddresses(acting.actor.name) });
      return erasure;
    },
  }),
  operation("GET", "/people/:personId", "getPerson", {
    summary: "Get a person",
    description: "With what they received, and the decisions about them.",
    params: ONE,
    query: ADDRESSES,
    answer: PERSON_WITH_RECEIPTS,
    handle: (call) => loadPerson(call, call.params.personId),
  }),
  operation("POST", "/people/:personId/decisions", "decideRecipient", {
    summary: "Decide whether somebody is expected",
    description: "Replaces the decision before on the same subject. Who is not expected stays on " +
      "the worklist until a good run leaves them out.",
    params: ONE,
    body: named(
      "DecisionOnRecipient",
      record({
        expected: flag(),
        on: either(
          COUNT,
          choice(["all", "domain"] as const),
          "must be a schedule's id, all or domain",
        ),
        note: optional(text({ max: MAX_CHARACTERS.note })),
        until: optional(nullable(time())),
      }),
    ),
    answer: PERSON_WITH_RECEIPTS,
    async handle({ body: { note = "", until = null, ...decision }, ...call }) {
      const { services, params, acting } = call;
      await decideRecipient(services, { ...params, ...decision, note, until }, acting);
      return await loadPerson(call, params.personId);
    },
  }),
  operation("DELETE", "/people/:personId/decisions/:decisionId", "withdrawDecision", {
    summary: "Withdraw a decision",
    description: "The schedules are judged again.",
    params: { ...ONE, decisionId: integer({ min: 1 }) },
    handle: ({ services, params, acting }) => withdrawDecision(services, params, acting),
  }),
];

/** Whether addresses are shown in full. Whoever asks for that is logged. */
function showsAddresses({ query, role, acting, log }: Call): boolean {
  if (query.addresses !== "full") return false;
  requireRole(role, "operator", null);
  log.info("Addresses were shown in full", { actor: maskAddresses(acting.actor.name) });
  return true;
}

async function loadPerson(call: Call, personId: number) {
  const { services: { records: { people, recipientDecisions } }, acting: { now } } = call;
  const person = await people.get(personId);
  if (!person) throw new ProblemError(404, "There is no such person");
  const [receipts, decisions] = await Promise.all([
    people.receipts([personId]),
    recipientDecisions.about([personId], [person.domain ?? ""], now),
  ]);
  return {
    ...toPerson(person, showsAddresses(call)),
    receipts: receipts.map((each) => ({ ...each, receiving: each.receiving === 1 })),
    decisions: decisions.map(({ expected, domain, scheduleId, why, actor, ...decision }) => ({
      ...decision,
      expected: expected === 1,
      on: scheduleId ?? (domain === null ? "all" : "domain"),
      note: why,
      by: actorText(actor),
    })),
  };
}

function toPerson({ listed, leftAt: left, ...person }: StoredPerson, isFull: boolean) {
  const { displayName = null, emailAddress = null } = isFull ? listed : maskRecipient(listed);
  return { ...person, displayName, emailAddress, left };
}
