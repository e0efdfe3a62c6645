/** Decisions of people whether recipients are expected. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Decision } from "../../../lib/judgement/decisions.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Engine } from "../engine.ts";
import { insertInto, recordsOf, select, selectPage } from "../records/table.ts";
import { judgeAgain } from "./judge_again.ts";
import type { Acting } from "../records/events.ts";
import { placeholders } from "../sql.ts";
import type { LedgerSource } from "./source.ts";

export interface NewDecision {
  readonly personId: number | null;
  readonly domain: string | null;
  readonly scheduleId: number | null;
  /** 1 if expected, 0 if not. */
  readonly expected: number;
  readonly why: string;
  readonly actor: Actor;
  readonly at: number;
  /** When it ends, in milliseconds since 1970; null for never. */
  readonly until: number | null;
}

export interface StoredDecision extends NewDecision {
  readonly id: number;
  /** The start of the good run without the person that closed the entry, and its id. */
  readonly closed: number | null;
  readonly closedRun: number | null;
}

const DECISIONS = recordsOf<StoredDecision>(
  "recipient_decisions",
  "id, person_id, domain, schedule_id, expected, why, actor, at, until, closed, closed_run",
);

export function recipientDecisionsOn(engine: Engine, source: LedgerSource) {
  const current = "source = ? AND ended IS NULL AND (until IS NULL OR until > ?)";
  return {
    /** Adds decisions; each replaces the current one on the same subject. */
    async add(decisions: readonly NewDecision[]): Promise<void> {
      await engine.transact(decisions.flatMap((decision) => [
        {
          text: "UPDATE recipient_decisions SET ended = ? WHERE source = ? AND ended IS NULL " +
            "AND person_id IS NOT DISTINCT FROM ? AND domain IS NOT DISTINCT FROM ? " +
            (decision.scheduleId === null ? "" : "AND schedule_id IS NOT DISTINCT FROM ?"),
          values: [
            decision.at,
            source,
            decision.personId,
            decision.domain,
            ...decision.scheduleId === null ? [] : [decision.scheduleId],
          ],
        },
        insertInto("recipient_decisions", { source, ...decision }),
      ]));
    },
    async withdraw({ id }: StoredDecision, { actor, now }: Acting): Promise<void> {
      const text = "UPDATE recipient_decisions SET ended = ?, ended_by = ? WHERE id = ? " +
        "AND source = ? AND ended IS NULL";
      await engine.transact([{ text, values: [now, JSON.stringify(actor), id, source] }]);
    },
    /** Current decisions on these people and domains, newest first. */
    of: (people: readonly number[], domains: readonly string[], now: number) =>
      select(
        engine,
        DECISIONS,
        `WHERE ${current} AND (person_id IN (${placeholders(people)}) ` +
          `OR domain IN (${placeholders(domains)})) ORDER BY id DESC`,
        [source, now, ...people, ...domains],
      ),
    /**
     * Decisions that a person is not expected: open ones first, then those closed last. A person
     * whose receipts are all removed is left out.
     */
    worklist(page: { readonly limit: number; readonly offset?: number }) {
      const text = "source = ? AND expected = 0 AND ended IS NULL AND schedule_id IS NOT NULL " +
        "AND person_id IN (SELECT person_id FROM receipts WHERE source = ?)";
      const order = "ORDER BY CASE WHEN closed IS NULL THEN 0 ELSE 1 END, closed DESC, id";
      return selectPage(engine, DECISIONS, [{ text, values: [source, source] }], order, page);
    },
    async expectedOn(scheduleId: number, now: number): Promise<readonly Decision[]> {
      const rows = await engine.rows(
        "SELECT decision.domain, decision.until, recipients.json, recipients.user_id " +
          "FROM recipient_decisions AS decision LEFT JOIN recipients " +
          `ON recipients.person_id = decision.person_id WHERE decision.${current} ` +
          "AND expected = 1 AND (schedule_id IS NULL OR schedule_id = ?) " +
          // A later decision about this schedule overrides it.
          "AND NOT EXISTS (SELECT 1 FROM recipient_decisions AS later WHERE later.id > decision.id " +
          "AND later.person_id = decision.person_id AND later.schedule_id = ? " +
          "AND later.expected = 0 AND later.ended IS NULL)",
        [source, now, scheduleId, scheduleId],
      ) as [string | null, number | null, string | null, number | null][];
      return rows.flatMap(([domain, until, json, userId]): Decision[] => {
        if (domain !== null) return [{ kind: "domain", domain, expected: true, until }];
        if (json === null) return [];
        const recipient: Recipient = { ...JSON.parse(json), userId };
        return [{ kind: "recipient", recipient, expected: true, until }];
      });
    },
    async judgeAgain({ personId, domain, at }: NewDecision): Promise<void> {
      const text = "schedule_id IN (SELECT schedule_id FROM receipts JOIN people " +
        "ON people.id = person_id WHERE people.source = ? AND (people.id = ? OR people.domain = ?))";
      await engine.transact(judgeAgain({ text, values: [source, personId, domain] }, at));
    },
  };
}
