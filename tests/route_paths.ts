/** The paths of all routes, found where Fresh finds them, so that a new one can't be forgotten. */

import { RECORD_OPERATIONS } from "../server/api/records.ts";
import { RECORDS_API } from "../server/http/paths.ts";

const FOLDER = new URL("../routes/", import.meta.url);

/** The path of every route, such as `/schedules/[scheduleId]/rows`, in order. */
export function routePaths(): readonly string[] {
  return [...new Set(routeFiles().flatMap(([path]) => path === RECORDS ? recordPaths() : path))]
    .sort();
}

/** The route that takes every operation of the API of records. */
export const RECORDS = `${RECORDS_API}/[...path]`;

function recordPaths(): readonly string[] {
  return RECORD_OPERATIONS.map(({ path }) => RECORDS_API + path.replace(/:(\w+)/g, "[$1]"));
}

/** The path of every route, and its file. */
export function routeFiles(): readonly (readonly [path: string, file: URL])[] {
  return filesIn(FOLDER, "");
}

function filesIn(folder: URL, path: string): (readonly [string, URL])[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith("_")) return [];
    const word = name.replace(/\.tsx?$/, "");
    // A folder in parentheses groups routes and is no part of their paths.
    const here = word === "index" || /^\(.*\)$/.test(word) ? path : `${path}/${word}`;
    const file = new URL(encodeURIComponent(name) + (isDirectory ? "/" : ""), folder);
    return isDirectory ? filesIn(file, here) : [[here || "/", file] as const];
  });
}
