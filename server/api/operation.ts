/** One operation of the API of records: its input and answer, described once, and what it does. */
import type { ActionServices } from "../actions/action_services.ts";
import type { Role } from "../auth/role.ts";
import {
  integer,
  list,
  type MemberShapes,
  optional,
  record,
  type RecordOf,
  type Shape,
} from "../http/shape.ts";
import type { Log } from "../log/log.ts";
import type { Acting } from "../store/records/events.ts";

type CsvFile = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface OperationCall<Params, Query> {
  readonly params: Params;
  readonly query: Query;
  readonly services: ActionServices;
  readonly acting: Acting;
  readonly role: Role;
  readonly log: Log;
}

interface Definition<Params extends MemberShapes, Query extends MemberShapes, Body, Answer> {
  readonly summary: string;
  readonly description: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Shape<Body>;
  /** Takes the body as CSV instead. */
  readonly csv?: {
    readonly description: string;
    handle(
      call: OperationCall<RecordOf<Params>, RecordOf<Query>>,
      file: CsvFile,
    ): Promise<Answer>;
  };
  /** Default: 200, or 204 without an answer. */
  readonly status?: 201 | 202;
  readonly answer?: Shape<Answer>;
  handle(
    call: OperationCall<RecordOf<Params>, RecordOf<Query>> & { readonly body: Body },
  ): Promise<Answer>;
  /** What it answers if there are no records. Default: a problem. */
  readonly withoutRecords?: (settings: ActionServices["settings"]) => Answer;
}

export interface RecordOperation extends Definition<MemberShapes, MemberShapes, unknown, unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly id: string;
}

/**
 * An operation.
 *
 * @param path Such as `/incidents/:incidentId`, below {@linkcode RECORDS_API}; its row is in `roles.ts`
 * @param id Its name in generated clients, such as `listIncidents`
 */
export function operation<
  Params extends MemberShapes = Record<never, never>,
  Query extends MemberShapes = Record<never, never>,
  Body = null,
  Answer = void,
>(
  method: RecordOperation["method"],
  path: string,
  id: string,
  definition: Definition<Params, Query, Body, Answer>,
): RecordOperation {
  // What it reads has passed the shapes of the same definition.
  return { method, path, id, ...definition } as unknown as RecordOperation;
}

const PAGE_SIZE = 100;

interface ListDefinition<Query extends MemberShapes, Item> {
  readonly summary: string;
  readonly description: string;
  readonly query?: Query;
  readonly item: Shape<Item>;
  /** Loads the items of a page, and counts all. */
  load(
    call: OperationCall<unknown, RecordOf<Query>>,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly Item[]; readonly total: number }>;
}

/** An operation that lists something, a page at a time. */
export function listOperation<Item, Query extends MemberShapes = Record<never, never>>(
  path: string,
  id: string,
  { item, load, query, ...words }: ListDefinition<Query, Item>,
): RecordOperation {
  const pageQuery = {
    limit: optional(integer({ min: 1, max: 1000, default: PAGE_SIZE })),
    offset: optional(integer({ min: 0, default: 0 })),
  };
  return operation("GET", path, id, {
    ...words,
    query: { ...query, ...pageQuery },
    answer: record({
      items: list(item),
      total: integer({ min: 0 }),
      limit: integer({ min: 1 }),
      offset: integer({ min: 0 }),
    }),
    async handle(call) {
      const { limit = PAGE_SIZE, offset = 0 }: RecordOf<typeof pageQuery> = call.query;
      const { items, total } = await load(call as Parameters<typeof load>[0], { limit, offset });
      return { items, total, limit, offset };
    },
  });
}
