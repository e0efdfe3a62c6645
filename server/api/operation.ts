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

/** The query of a list. */
export const PAGE_QUERY = {
  limit: optional(integer({ min: 1, max: 1000, default: PAGE_SIZE })),
  offset: optional(integer({ min: 0, default: 0 })),
};

/** The page that a query asks for. */
export function readPage({ limit = PAGE_SIZE, offset = 0 }: RecordOf<typeof PAGE_QUERY>) {
  return { limit, offset };
}

/** The answer of a list. */
export function pageOf<Item>(items: Shape<Item>) {
  return record({
    items: list(items),
    total: integer({ min: 0 }),
    limit: integer({ min: 1 }),
    offset: integer({ min: 0 }),
  });
}
