/** Stops Docket with npm: `npx … task start` ends without stopping the processes that it started. */
import { kill } from "node:process";

const MAX_PROCESSES = 8;
const CHECK_MS = 500;

/** Calls back once when npm, if it started this process, or a process in between has ended. */
export async function onEndOfNpm(callback: () => void): Promise<void> {
  const outer = Deno.env.get("npm_command") === undefined ? [] : await processesUpToNpm();
  if (outer === null) return callback();
  if (outer.length === 0) return;
  const timer = setInterval(() => {
    if (outer.every(isAlive)) return;
    clearInterval(timer);
    callback();
  }, CHECK_MS);
}

/** The process ids from the parent up to npm; none without npm; null if npm has already ended. */
async function processesUpToNpm(): Promise<readonly number[] | null> {
  const ids: number[] = [];
  let id = Deno.ppid;
  while (ids.length < MAX_PROCESSES) {
    const found = await findProcess(id);
    if (!found) break;
    ids.push(id);
    if (/(^|[ /])(npm|npx)\b/.test(found.command)) return ids;
    // In a container, npm may be this process itself.
    if (id === 1) return ids.length === 2 ? null : [];
    id = found.parent;
  }
  return [];
}

async function findProcess(
  id: number,
): Promise<{ readonly parent: number; readonly command: string } | null> {
  try {
    const args = ["-o", "ppid=,args=", "-p", String(id)];
    const { stdout } = await new Deno.Command("ps", { args, stderr: "null" }).output();
    const [, parent, command] = /^\s*(\d+) (.*)/.exec(new TextDecoder().decode(stdout)) ?? [];
    return parent === undefined ? null : { parent: Number(parent), command };
  } catch {
    // Windows has no ps, and some containers have none.
    return null;
  }
}

function isAlive(id: number): boolean {
  try {
    kill(id, 0);
    return true;
  } catch (error) {
    // A process of another user can't be signalled, but exists.
    return (error as { code?: string }).code === "EPERM";
  }
}
