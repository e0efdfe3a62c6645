/** The API of Docket's records: its operations, and how a request becomes a call of one. */
import { actionServices, type OpenedServices } from "../actions/action_services.ts";
import { neededRole, requireRole, routeAt } from "../actions/roles.ts";
import { whyNoRecords } from "../backend/current_session.ts";
import type { Holder } from "../backend/service.ts";
import { normalPath, RECORDS_API } from "../http/paths.ts";
import { throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { hasType, readBody, readCsvBody } from "../http/request_body.ts";
import { readQuery, toJson } from "../http/shape.ts";
import { jsonResponse } from "../http/text_response.ts";
import { INCIDENT_OPERATIONS } from "./incident_operations.ts";
import { OWNER_OPERATIONS } from "./owner_operations.ts";
import { PEOPLE_OPERATIONS } from "./people_operations.ts";
import type { Log } from "../log/log.ts";
import type { RecordOperation } from "./operation.ts";
import { LEAVER_OPERATIONS } from "./leaver_operations.ts";
import { SCHEDULE_OPERATIONS } from "./schedule_operations.ts";
import { STATUS_OPERATIONS } from "./status_operations.ts";

/** Every operation. Each has a row in `server/actions/roles.ts`. */
export const RECORD_OPERATIONS: readonly RecordOperation[] = [
  ...INCIDENT_OPERATIONS,
  ...OWNER_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...STATUS_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
  ...LEAVER_OPERATIONS,
];

/** Answers the holder of a token. */
export async function answerRecords(
  { request, url, services, origin, holder, log }: {
    readonly request: Request;
    readonly url: URL;
    readonly services: OpenedServices;
    readonly origin: string;
    readonly holder: Holder;
    readonly log: Log;
  },
): Promise<Response> {
  const pathname = normalPath(url.pathname);
  const needed = neededRole(request.method, pathname);
  const isUser = holder.role === "user";
  requireRole(holder.role, needed, isUser ? whyNoRecords(services.settings) : null);
  const route = routeAt(pathname)!;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const found = RECORD_OPERATIONS.find((each) =>
    each.method === method && RECORDS_API + each.path === route
  )!;
  const { records, settings } = services;
  if (!records && found.withoutRecords) {
    return await toResponse(request, found, found.withoutRecords(settings));
  }
  const faults: ValidationIssue[] = [];
  const call = {
    params: readQuery(paramsIn(pathname, route), found.params ?? {}, faults),
    query: readQuery(url.searchParams, found.query ?? {}, faults),
    services: actionServices({ services, origin }),
    acting: {
      actor: { name: holder.name ?? "a developer token", known: "token" },
      now: Date.now(),
    },
    role: holder.role,
    log,
  } as const;
  const { csv } = found;
  if (csv && hasType(request, "text/csv")) {
    throwIfInvalid(faults);
    return toResponse(request, found, await csv.handle(call, await readCsvBody(request)));
  }
  const body = found.body ? await readBody(request, found.body, faults) : null;
  throwIfInvalid(faults);
  return toResponse(request, found, await found.handle({ ...call, body }));
}

/** The parameters in a path, as a query. */
function paramsIn(pathname: string, route: string): URLSearchParams {
  const parts = pathname.split("/");
  return new URLSearchParams(
    route.split("/").flatMap((name, at) =>
      name.startsWith(":") ? [[name.slice(1), decodeURIComponent(parts[at])]] : []
    ),
  );
}

function toResponse(
  request: Request,
  { status, answer: shape }: RecordOperation,
  answer: unknown,
): Response {
  if (!shape) return new Response(null, { status: 204 });
  return jsonResponse(request, toJson(shape, answer) as object, status ?? 200);
}
