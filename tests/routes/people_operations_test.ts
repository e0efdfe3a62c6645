/** People and decisions by the API of records. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type App, withApp } from "../app.ts";
import { callRecords } from "./record_calls.ts";

const pointersOf = ({ errors }: { errors: readonly { pointer: string }[] }) =>
  errors.map(({ pointer }) => pointer);

/** The first person of a list, with what they received. */
async function firstPerson(app: App) {
  const { answer } = await callRecords(app, "listPeople", { query: { limit: 1 } });
  const params = { personId: answer.items[0].id };
  return { params, person: (await callRecords(app, "getPerson", { params })).answer };
}

Deno.test("[e2e] people: addresses are masked, unless an operator asks for full ones", () =>
  withApp({}, async (app) => {
    const { answer } = await callRecords(app, "listPeople", { query: { limit: 3 } });
    assert(answer.total > 3);
    for (const { emailAddress } of answer.items) assertMatch(emailAddress, /…|\*|•/);
    const full = { query: { addresses: "full", limit: 3 } };
    const shown = await callRecords(app, "listPeople", full);
    for (const { emailAddress } of shown.answer.items) {
      assertMatch(emailAddress, /^[\w.]+@[\w.-]+$/);
    }
    const token = (await app.services.tokens!.add("Ada", "reader", new Date()))!;
    assertEquals((await callRecords(app, "listPeople", { ...full, token })).status, 403);
    const outside = await callRecords(app, "listPeople", { query: { segment: "outside" } });
    assert(outside.answer.total < answer.total);
    const none = await callRecords(app, "getPerson", { params: { personId: 999_999 } });
    assertEquals(none.status, 404);
  }));

Deno.test("[e2e] people: decides about a schedule and all, names faults at once, and withdraws", () =>
  withApp({}, async (app) => {
    const { params, person } = await firstPerson(app);
    const [{ scheduleId }] = person.receipts;
    const decide = (body: unknown) => callRecords(app, "decideRecipient", { params, body });
    const one = await decide({ expected: true, on: scheduleId, note: "Joined" });
    const [{ id, by, ...decision }] = one.answer.decisions;
    assertEquals([decision.expected, decision.on, decision.note], [true, scheduleId, "Joined"]);
    assertEquals(by, "a developer token");
    const { answer } = await decide({ expected: false, on: "all", until: "2100-01-01T00:00:00Z" });
    const still = person.receipts.filter(({ receiving }: { receiving: boolean }) => receiving);
    assertEquals(answer.decisions.length, still.length + 1);
    const wrong = { expected: false, on: "domain", until: "2001-01-01T00:00:00Z" };
    assertEquals(pointersOf((await decide(wrong)).answer), ["/on", "/until"]);
    assertEquals(pointersOf((await decide({ expected: true, on: 999 })).answer), ["/on"]);
    assertEquals(pointersOf((await decide({ on: "none", note: 1 })).answer), [
      ...["/expected", "/on", "/note"],
    ]);
    const [last] = answer.decisions;
    const withdraw = (decisionId: number) =>
      callRecords(app, "withdrawDecision", { params: { ...params, decisionId } });
    assertEquals((await withdraw(last.id)).status, 204);
    assertEquals((await withdraw(last.id)).status, 404);
    const after = (await callRecords(app, "getPerson", { params })).answer.decisions;
    assertEquals(after.length, answer.decisions.length - 1);
    assert(id !== last.id);
  }));
