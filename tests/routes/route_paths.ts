import { assert } from "@std/assert";

/** Something for each parameter of a path. */
const PARAMETERS: Readonly<Record<string, string>> = {
  scheduleId: "101",
  runId: "1",
  fileSetId: "a",
  document: "openapi.json",
};

/** The path of each route, as the files of `routes/` say it: no list that a new one could miss. */
export function routePaths(
  folder = new URL("../../routes/", import.meta.url),
  above = "",
): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith("_")) return [];
    if (isDirectory) {
      const part = /^\(.*\)$/.test(name) ? "" : `/${name}`;
      return routePaths(new URL(`${encodeURIComponent(name)}/`, folder), above + part);
    }
    const own = name.replace(/\.tsx?$/, "");
    const path = own === "index" ? above || "/" : `${above}/${own}`;
    return path.replace(/\[(\w+)\]/g, (_, parameter) => {
      assert(parameter in PARAMETERS, `Give the parameter ${parameter} of ${path} a value here`);
      return PARAMETERS[parameter];
    });
  });
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
