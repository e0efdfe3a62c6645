import { assertEquals, assertRejects } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { ADA } from "../../actors.ts";
import { START, withWorld } from "../observer/world.ts";

Deno.test("decideRecipient: names every fault, and lists what is still sent to the person", () =>
  withWorld([1, 2, 3], async (world) => {
    const { records } = world;
    const recipients = [{ userId: 7, displayName: "Rowan", emailAddress: "rowan@partner.example" }];
    for (const id of [1, 2]) world.run(id, START, { recipients });
    world.run(1, START + HOUR, { recipients: [] });
    await world.until(START + HOUR + 2 * MINUTE);
    const personId = (await records.people.find(7))!;
    const by = { actor: ADA, now: world.now() };
    const decide = (more: object) => {
      const decision = { personId, expected: false, on: "all", note: "", until: null } as const;
      return decideRecipient({ records }, { ...decision, ...more }, by);
    };
    const wrong = [
      [{ on: 3, note: "x".repeat(1001), until: by.now }, ["/on", "/note", "/until"]],
      [{ on: "domain" }, ["/on"]],
      // Whoever no longer receives a schedule may be expected on it, but needs no entry.
      [{ on: 1 }, ["/on"]],
    ] as const;
    for (const [more, pointers] of wrong) {
      const { problem }: ProblemError = await assertRejects(() => decide(more), ProblemError);
      assertEquals(problem.errors.map(({ pointer }) => pointer), [...pointers]);
    }
    await decide({ on: 1, expected: true });
    await decide({});
    const { items } = await records.recipientDecisions.worklist({ limit: 9 }, by.now);
    assertEquals(items.map(({ scheduleId }) => scheduleId), [2]);
  }));
