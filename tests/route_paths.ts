/** The paths of all routes, found where Fresh finds them, so that a new one can't be forgotten. */

const FOLDER = new URL("../routes/", import.meta.url);

/** The path of every route, such as `/schedules/[scheduleId]/rows`, in order. */
export function routePaths(): readonly string[] {
  return pathsIn(FOLDER, "").sort();
}

function pathsIn(folder: URL, path: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith("_")) return [];
    const word = name.replace(/\.tsx?$/, "");
    // A folder in parentheses groups routes and is no part of their paths.
    const here = word === "index" || /^\(.*\)$/.test(word) ? path : `${path}/${word}`;
    if (!isDirectory) return [here || "/"];
    return pathsIn(new URL(`${encodeURIComponent(name)}/`, folder), here);
  });
}
