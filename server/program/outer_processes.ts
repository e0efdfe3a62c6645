/** Stops Docket with npm: `npx … task start` ends without stopping the processes that it started. */

const CHECK_MS = 1000;

/** Calls back once when npm, if it started this process, or a process in between has ended. */
export async function onEndOfNpm(callback: () => void): Promise<void> {
  const outer = Deno.env.get("npm_command") === undefined ? [] : await processesUpToNpm();
  if (outer.length === 0) return;
  do await new Promise((resolve) => setTimeout(resolve, CHECK_MS)); while (await areAlive(outer));
  callback();
}

/** The process ids from the parent up to npm; none without npm. */
async function processesUpToNpm(): Promise<readonly number[]> {
  const ids: number[] = [];
  let id = Deno.ppid;
  while (id > 0) {
    const found = await findProcess(id);
    if (!found) break;
    ids.push(id);
    if (/(^|[ /])(npm|npx)\b/.test(found.command)) return ids;
    id = found.parent;
  }
  return [];
}

async function findProcess(
  id: number,
): Promise<{ readonly parent: number; readonly command: string } | null> {
  const listed = await runPs("ppid=,args=", [id]);
  const [, parent, command] = /^\s*(\d+) (.*)/.exec(listed ?? "") ?? [];
  return parent === undefined ? null : { parent: Number(parent), command };
}

/** Asks `ps`, because a signal, even none, needs the permission to run any program. */
async function areAlive(ids: readonly number[]): Promise<boolean> {
  const listed = await runPs("pid=", ids);
  return listed === null || (listed.match(/\d+/g)?.length ?? 0) === ids.length;
}

/** Null where there is no `ps`, as on Windows and in some containers. */
async function runPs(columns: string, ids: readonly number[]): Promise<string | null> {
  try {
    const args = ["-o", columns, "-p", ids.join(",")];
    const { stdout } = await new Deno.Command("ps", { args, stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch {
    return null;
  }
}
