/** Requests that reach every route. */
import { assert } from "@std/assert";
import { routePaths } from "../route_paths.ts";

/** Something for each parameter of a path. */
const PARAMETERS: Readonly<Record<string, string>> = {
  scheduleId: "101",
  runId: "1",
  fileSetId: "a",
  incidentId: "none",
  owner: "none",
  calendar: "none",
  personId: "1",
  decisionId: "1",
  secret: "none",
  document: "openapi.json",
};

/** A path of every route, with these ids or others. */
export function pathOfEachRoute(ids: Readonly<Record<string, string>> = {}): readonly string[] {
  return routePaths().map((path) =>
    path.replace(/\[(\w+)\]/g, (_, parameter) => {
      assert(parameter in PARAMETERS, `Give the parameter ${parameter} of ${path} a value here`);
      return ids[parameter] ?? PARAMETERS[parameter];
    })
  );
}

/** Methods that a request can have; the last one is nobody's. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** A request that the route of a path could take. */
export function requestOf(origin: string, path: string, method: string, headers: HeadersInit) {
  const isApi = path.startsWith("/api/");
  const type = isApi ? "application/json" : "application/x-www-form-urlencoded";
  const hasBody = !["GET", "HEAD", "OPTIONS"].includes(method);
  const request = new Request(origin + path, {
    method,
    headers,
    body: hasBody ? (isApi ? "{}" : "") : undefined,
  });
  request.headers.set("content-type", type);
  return request;
}
