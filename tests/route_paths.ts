/** The paths of all routes, found where Fresh finds them, so that a new one can't be forgotten. */

const FOLDER = new URL("../routes/", import.meta.url);

/** The path of every route, such as `/schedules/[scheduleId]/rows`, in order. */
export function routePaths(): readonly string[] {
  return routeFiles().map(([path]) => path).sort();
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
