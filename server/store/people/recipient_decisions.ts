/** Decisions of people whether recipients are expected. */
import type { Actor } from "../../../lib/actor.ts";
import type { Decision } from "../../../lib/judgement/facts.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, insert, set, type Sql, sql, texts, when } from "../database/sql.ts";
import { type Page, readPage } from "../records/transaction_step.ts";
import type { Acting } from "../records/events.ts";
import { judgeAgain } from "../records/verdicts.ts";

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

interface WithdrawnDecision
  extends Pick<StoredDecision, "id" | "scheduleId" | "domain" | "expected" | "actor"> {
  /** When it was withdrawn, in milliseconds since 1970, and by whom. */
  readonly ended: number;
  readonly endedBy: Actor;
}

const MAX_WITHDRAWN = 50;

/** The condition on a decision that nobody withdrew, and that is not over. */
export function isCurrent(now: number): Sql {
  return sql`ended IS NULL AND (until IS NULL OR until > ${now})`;
}

export function recipientDecisionsOn(database: Database) {
  return {
    /** Adds decisions, alone; each replaces the current one on the same subject. */
    async add(decisions: readonly NewDecision[]): Promise<void> {
      for (const decision of decisions) {
        const { personId, domain, scheduleId, at } = decision;
        const same = sql`AND schedule_id IS NOT DISTINCT FROM ${scheduleId}`;
        await database.write(
          sql`UPDATE recipient_decisions SET ended = ${at} WHERE ended IS NULL
            AND person_id IS NOT DISTINCT FROM ${personId}
            AND domain IS NOT DISTINCT FROM ${domain} ${when(scheduleId !== null, same)}`,
        );
        await database.write(insert("recipient_decisions", [{ ...decision }]));
      }
    },
    async withdraw({ id }: StoredDecision, { actor, now }: Acting): Promise<void> {
      const end = { ended: now, endedBy: actor };
      await database.write(
        sql`UPDATE recipient_decisions SET ${set(end)} WHERE id = ${id}`,
      );
    },
    /** The decisions about a person that were withdrawn, the last one first. */
    withdrawn: (personId: number): Promise<readonly WithdrawnDecision[]> =>
      database.read(
        sql`SELECT id, schedule_id, domain, expected, actor, ended, ended_by
          FROM recipient_decisions WHERE person_id = ${personId} AND ended_by IS NOT NULL
          ORDER BY ended DESC, id DESC LIMIT ${MAX_WITHDRAWN}`,
      ),
    /** Current decisions on these people and domains, newest first. */
    about: (
      people: readonly number[],
      domains: readonly string[],
      now: number,
    ): Promise<readonly StoredDecision[]> =>
      database.read(
        sql`SELECT * FROM recipient_decisions WHERE ${isCurrent(now)}
          AND (person_id IN ${ids(people)} OR domain IN ${texts(domains)}) ORDER BY id DESC`,
      ),
    /**
     * Current decisions that a person is not expected: open ones first, then those closed last. What
     * a person never received, as far as is still known, is left out.
     */
    worklist: (page: Page, now: number) =>
      readPage<StoredDecision>(database, {
        rows: sql`recipient_decisions`,
        conditions: [
          sql`expected = 0 AND ${isCurrent(now)}`,
          sql`EXISTS (SELECT 1 FROM receipts
            WHERE receipts.person_id = recipient_decisions.person_id
              AND receipts.schedule_id = recipient_decisions.schedule_id)`,
        ],
        order: sql`CASE WHEN closed IS NULL THEN 0 ELSE 1 END, closed DESC, id`,
        page,
      }),
    /**
     * Whom people expect on a schedule, unless a later decision about this schedule overrides it; and
     * those that do so until a time, as what is expected changes then.
     */
    async expectedOn(scheduleId: number, now: number): Promise<readonly Decision[]> {
      const rows = await database.read<
        & Pick<NewDecision, "domain" | "until" | "expected">
        & { readonly json: string | null; readonly userId: number | null }
      >(
        sql`SELECT decision.domain, until, expected, json, user_id
          FROM recipient_decisions AS decision
          LEFT JOIN forms ON forms.person_id = decision.person_id
          WHERE ${isCurrent(now)} AND (expected = 1 OR until IS NOT NULL)
            AND (schedule_id IS NULL OR schedule_id = ${scheduleId})
            AND NOT EXISTS (SELECT 1 FROM recipient_decisions AS later
              WHERE later.id > decision.id AND later.person_id = decision.person_id
                AND later.schedule_id = ${scheduleId} AND ${isCurrent(now)})`,
      );
      return rows.flatMap(({ domain, json, userId, ...decision }): Decision[] => {
        const said = { expected: decision.expected === 1, until: decision.until };
        if (domain !== null) return [{ kind: "domain", domain, ...said }];
        if (json === null) return [];
        const recipient: Recipient = { ...JSON.parse(json), userId };
        return [{ kind: "recipient", recipient, ...said }];
      });
    },
    judgeAgain: ({ personId, domain, at }: NewDecision): Promise<void> =>
      judgeAgain(
        database,
        sql`schedule_id IN (SELECT schedule_id FROM receipts JOIN people
          ON people.id = person_id WHERE people.id = ${personId} OR people.domain = ${domain})`,
        at,
      ),
  };
}

/**
 * Adds worklist entries of people who receive a schedule by now, and are not expected on any. One that
 * was withdrawn since, or decided otherwise, is not added again.
 */
export async function addDecisions({ write }: Transaction, scheduleId: number): Promise<void> {
  await write(
    sql`INSERT INTO recipient_decisions
        (person_id, schedule_id, expected, why, actor, at, until)
      SELECT person_id, CAST(${scheduleId} AS bigint), 0, why, actor, at, until
      FROM recipient_decisions AS said
      WHERE schedule_id IS NULL AND expected = 0 AND ended IS NULL AND person_id IN
          (SELECT person_id FROM receipts WHERE schedule_id = ${scheduleId} AND receiving = 1)
        AND NOT EXISTS (SELECT 1 FROM recipient_decisions AS later WHERE later.id > said.id
          AND later.person_id = said.person_id AND later.schedule_id = ${scheduleId})`,
  );
}

/**
 * Closes worklist entries with the first run after the last one that listed the person, and opens those
 * again that a later run lists. `good` are the statuses of the good runs: of new ones, or with `isWhole`
 * of all. Then it also opens those whose run is not good any more, but none whose run was removed.
 */
export async function closeDecisions(
  { write }: Transaction,
  scheduleId: number,
  good: readonly string[],
  isWhole: boolean,
): Promise<void> {
  const isStored =
    sql`OR closed_run IN (SELECT run_id FROM runs WHERE schedule_id = ${scheduleId})`;
  const last = sql`(SELECT last FROM receipts WHERE schedule_id = ${scheduleId}
    AND person_id = recipient_decisions.person_id)`;
  await write(
    sql`UPDATE recipient_decisions SET (closed, closed_run) = (SELECT start, run_id FROM runs
        WHERE schedule_id = ${scheduleId} AND gone_at IS NULL AND list_id IS NOT NULL
          AND start > at AND start > coalesce(${last}, at) AND status IN ${texts(good)}
        ORDER BY start, run_id LIMIT 1)
      WHERE schedule_id = ${scheduleId} AND expected = 0 AND ended IS NULL
        AND (closed IS NULL OR ${last} > closed ${when(isWhole, isStored)})`,
  );
}
