import { assertEquals, assertRejects } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { decideRecipient, withdrawDecision } from "../../../server/actions/decide_recipient.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { ADA } from "../../actors.ts";
import { START, withWorld } from "../observer/world.ts";

Deno.test("decideRecipient: who is not expected is on the worklist, once for each schedule received", () =>
  withWorld([1, 2, 3], async (world) => {
    const { records } = world;
    const recipients = [{ userId: 7, displayName: "Rowan", emailAddress: "rowan@partner.example" }];
    for (const id of [1, 2]) world.run(id, START, { recipients });
    await world.until(START + 2 * MINUTE);
    const personId = (await records.people.find(7))!;
    const by = { actor: ADA, now: world.now() };
    const decide = (more: object) => {
      const decision = { personId, expected: false, on: "all", note: "", until: null } as const;
      return decideRecipient({ records }, { ...decision, ...more }, by);
    };
    const listed = async () => {
      const { items } = await records.recipientDecisions.worklist({ limit: 9 }, world.now());
      return items.map(({ scheduleId }) => scheduleId).sort();
    };
    const refusedAt = async (more: object) => {
      const { problem }: ProblemError = await assertRejects(() => decide(more), ProblemError);
      return problem.errors.map(({ pointer }) => pointer);
    };
    await decide({ on: 2 });
    assertEquals(await listed(), [2]);
    await decide({ on: "all" });
    assertEquals(await listed(), [1, 2]);
    const [{ id: decisionId }] = await records.recipientDecisions.about([personId], [], by.now);
    await withdrawDecision({ records }, { personId, decisionId }, by);
    assertEquals((await listed()).length, 1);
    const wrong = { on: 3, note: "x".repeat(1001), until: by.now };
    assertEquals(await refusedAt(wrong), ["/on", "/note", "/until"]);
    assertEquals(await refusedAt({ on: "domain" }), ["/on"]);
    // Whoever no longer receives a schedule may be expected on it, but needs no entry.
    world.run(1, START + HOUR, { recipients: [] });
    await world.until(START + HOUR + 2 * MINUTE);
    assertEquals(await refusedAt({ on: 1 }), ["/on"]);
    await decide({ on: 1, expected: true });
  }));
