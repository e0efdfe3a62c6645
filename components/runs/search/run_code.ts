import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { historyRequest, toCurl } from "../../../lib/client/transport/request.ts";
import type { SearchBody } from "../../../lib/types.ts";
import { type Code, type CodeTarget, writeScript } from "../../export/code.ts";
import { runsHref, type RunView } from "../run_links.tsx";

export function runCode(scheduleId: number, view: RunView, target: CodeTarget): Code {
  const { limit = DEFAULT_LIMIT, skip = 0 } = view;
  const request = historyRequest(target.origin, scheduleId, { limit, skip });
  return {
    link: target.origin + runsHref(scheduleId, view),
    curl: toCurl({ ...request, tokenHeader: target.tokenHeader }),
    script: asScript(scheduleId, view.body, target),
  };
}

/** A script that reads all runs and filters them itself, since the service can't. */
function asScript(scheduleId: number, body: SearchBody, target: CodeTarget): string {
  const history = `client.reportSchedules.history(${scheduleId})`;
  const print = "  console.log(run.id, run.startTime, run.status);\n}";
  if (Object.keys(body).length === 0) {
    return writeScript(target, `for await (const run of ${history}) {\n${print}`);
  }
  const search = JSON.stringify(body, null, 2);
  return writeScript(
    target,
    `const runs = await Array.fromAsync(${history});\n` +
      `for (const run of searchRuns(runs, ${search})) {\n${print}`,
    ["searchRuns"],
  );
}
