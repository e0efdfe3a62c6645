import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { toCurl } from "../../../lib/client/transport/curl.ts";
import { historyRequest } from "../../../lib/client/transport/request.ts";
import { boundOf } from "../../../lib/runs/run_search.ts";
import type { DateFilter, Filter, SearchBody } from "../../../lib/types.ts";
import { type Code, type CodeTarget, scriptOf } from "../../export/code_texts.tsx";
import { editing } from "../../search/page_view.ts";
import { runsHref, type RunView } from "../run_links.ts";

export function runCode(scheduleId: number, view: RunView, target: CodeTarget): Code {
  const { limit = DEFAULT_LIMIT, skip = 0 } = view;
  const request = historyRequest(target.origin, scheduleId, { limit, skip });
  return {
    link: target.origin + runsHref(scheduleId, editing(view, {})),
    curl: toCurl({ ...request, tokenHeader: target.tokenHeader }),
    script: asScript(scheduleId, view.body, target),
  };
}

/** The view as a script that reads all matching runs, since the service does not filter them. */
function asScript(scheduleId: number, body: SearchBody, target: CodeTarget): string {
  const { filters = [], dateFilters = [], fieldSort = [] } = body;
  const conditions = [
    ...filters.map((filter) => negated(filter, conditionOf(filter))),
    ...dateFilters.map((filter) => negated(filter, dateConditionOf(filter))),
  ];
  const history = `client.reportSchedules.history(${scheduleId})`;
  const loop = [
    ...(fieldSort.length === 0 ? [`for await (const run of ${history}) {`] : [
      `const runs = await Array.fromAsync(${history});`,
      "const order = (a, b) => a === b ? 0 : a === undefined || a < b ? -1 : 1;",
      ...fieldSort.toReversed().map(({ field, order }) => {
        const of = (name: string) => `${valuesOf(field).replaceAll("run.", `${name}.`)}[0]`;
        return `runs.sort((a, b) => ${order === "DESC" ? "-" : ""}order(${of("a")}, ${of("b")}));`;
      }),
      "for (const run of runs) {",
    ]),
    ...conditions.map((condition) => `  if (!(${condition})) continue;`),
    "  console.log(run.id, run.startTime, run.status);",
    "}",
  ];
  return scriptOf(target, loop.join("\n"));
}

const VALUES: Readonly<Record<string, string>> = {
  duration: '(Date.parse(run.endTime ?? "") - Date.parse(run.startTime ?? "")) / 1000',
  recipient: "run.recipients?.map(({ userId }) => userId)",
  recipientDomain:
    'run.recipients?.map(({ emailAddress }) => emailAddress?.split("@").at(-1)?.toLowerCase())',
  text: "run.reportTitle, run.reportSubject, run.resourceName, run.status",
};

/** An expression for the values of a field that the run has. */
function valuesOf(field: string): string {
  return `[${VALUES[field] ?? `run.${field}`}].flat().filter((value) => value || value === 0 || ` +
    "value === false)";
}

const SIGNS: Readonly<Record<string, string>> = {
  GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=",
  LESS_THAN: "<",
  LESS_THAN_OR_EQUAL: "<=",
};

function negated({ not }: { readonly not?: boolean }, condition: string): string {
  return not ? `!(${condition})` : condition;
}

function conditionOf({ field, operator = "EQUALS", value = [] }: Filter): string {
  if (operator === "IS_NULL") return `${valuesOf(field)}.length === 0`;
  const isAny = (test: string) => `${valuesOf(field)}.some((value) => ${test})`;
  if (operator in SIGNS) {
    return isAny(value.map((bound) => `value ${SIGNS[operator]} ${Number(bound)}`).join(" || "));
  }
  const texts = JSON.stringify(
    value.map((text) =>
      operator === "LIKE" || field === "recipientDomain" ? text.toLowerCase() : text
    ),
  );
  return operator === "LIKE"
    ? isAny(`${texts}.some((text) => String(value).toLowerCase().includes(text))`)
    : isAny(`${texts}.includes(String(value))`);
}

function dateConditionOf({ field, start, end }: DateFilter): string {
  const time = `Date.parse(run.${field} ?? "")`;
  const bound = (at: string) => `Date.parse("${new Date(boundOf(at)!).toISOString()}")`;
  return [
    start !== undefined && `${time} >= ${bound(start)}`,
    end !== undefined && `${time} < ${bound(end)}`,
  ].filter(Boolean).join(" && ");
}
