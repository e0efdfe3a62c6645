/** Answers the interface's two operations and the API of records in JSON, and with problem documents. */
import { allowedAt, neededRole, requireRole } from "../actions/roles.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { TokenGuard } from "../auth/failed_attempts.ts";
import type { OpenedServices } from "../actions/action_services.ts";
import { currentSession } from "../backend/current_session.ts";
import type { Caller, Service } from "../backend/service.ts";
import type { Settings } from "../config/settings.ts";
import { isCrossOrigin, preflightResponse } from "../http/cross_origin.ts";
import { jsonResponse } from "../http/text_response.ts";
import { isForOtherSites, normalPath, type OperationPath } from "../http/paths.ts";
import { ProblemError } from "../http/problem.ts";
import { requireShortQuery } from "../http/request_query.ts";
import type { Log } from "../log/log.ts";
import { problemAnswer } from "../log/log_problem.ts";
import { answerRecords } from "./records.ts";
import { readHistoryRequest, readSearchRequest } from "./service_operations.ts";

interface OperationServices extends Omit<Service, "reach">, OpenedServices {
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly tokenGuard: TokenGuard;
  readonly countRequest: (token: string) => void;
}

interface OperationRequest extends Caller {
  readonly log: Log;
  readonly request: Request;
  readonly url: URL;
  readonly operation: OperationPath;
  readonly services: OperationServices;
  readonly client: string;
}

export async function answerOperation(call: OperationRequest): Promise<Response> {
  const { request, url, operation, services, client } = call;
  const { serviceTokenHeader, publicOrigin } = services.settings;
  const isOpen = isForOtherSites(operation);
  if (request.method === "OPTIONS" && isOpen) {
    return preflightResponse(allowedAt(url.pathname), serviceTokenHeader);
  }
  return await orProblem(call, async () => {
    const token = request.headers.get(serviceTokenHeader);
    const origin = publicOrigin ?? url.origin;
    const isForeign = isCrossOrigin(request, origin);
    if (!isOpen && isForeign) throw new ProblemError(403, RECORDS_STAY);
    if (token === null && isForeign) throw otherSiteError(serviceTokenHeader);
    requireShortQuery(url);
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: allowedAt(url.pathname) } });
    }
    if (token === null && !isOpen) throw tokenError(call);
    if (token === null) return await answerSession(call, origin);
    return await services.tokenGuard.check(client, token, () =>
      orProblem(call, async () => {
        const purpose = isOpen ? "operation" : "call";
        const holder = await services.findHolder(token, call, { purpose });
        if (!holder) throw tokenError(call);
        services.countRequest(token);
        if (isOpen) return await answer(call, holder.serviceToken);
        return await answerRecords({ request, url, services, origin, holder, log: call.log });
      }));
  });
}

/** Answers requests of Docket's own pages, which have a session instead of a token. */
async function answerSession(call: OperationRequest, origin: string): Promise<Response> {
  const { request, services } = call;
  const signedIn = await currentSession(request.headers, origin, services, call);
  if (!signedIn) throw tokenError(call);
  const { session, token } = signedIn;
  const response = await orProblem(call, async () => {
    services.countRequest(session.token ?? token);
    return await answer({ ...call, isPage: true }, token);
  });
  if (session.token && response.status === 401) services.sessions.clear(response.headers, origin);
  await services.sessions.renew(response.headers, session, origin);
  return response;
}

/** Calls one of the two operations with a token of the service. */
async function answer(call: OperationRequest, token: string): Promise<Response> {
  const { request, url, operation, services } = call;
  requireRole("user", neededRole(request.method, normalPath(url.pathname)), null);
  // Docket's own store answers with JSON; an upstream's rows have to be checked.
  const backend = services.store?.json ?? services.backendFor(token, call);
  const { signal } = request;
  const isEmbedded = services.store !== null;
  if (operation.name === "search") {
    const { body, options } = await readSearchRequest(request, url, isEmbedded);
    return jsonResponse(request, await backend.fileSets.search(body, { ...options, signal }));
  }
  const { scheduleId, options } = readHistoryRequest(url, operation.scheduleId, isEmbedded);
  const runs = await backend.reportSchedules.history(scheduleId, { ...options, signal });
  return jsonResponse(request, runs);
}

const RECORDS_STAY = "Docket's records can't be used from another site's page";

function tokenError({ services: { settings } }: OperationRequest): ProblemError {
  const detail = `Send a valid developer token in the header ${settings.serviceTokenHeader}`;
  return new ProblemError(401, detail);
}

function otherSiteError(tokenHeader: string): ProblemError {
  return new ProblemError(
    403,
    "A session works only on Docket's own pages; " +
      `from another site's page, send a developer token in the header ${tokenHeader}`,
  );
}

async function orProblem(
  { request, services, ...state }: OperationRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const response = problemAnswer(error, { req: request, state });
    if (response.status === 401) {
      // HTTP requires that a 401 says how to authenticate.
      const { serviceTokenHeader } = services.settings;
      response.headers.set("www-authenticate", `DeveloperToken header="${serviceTokenHeader}"`);
    }
    return response;
  }
}
