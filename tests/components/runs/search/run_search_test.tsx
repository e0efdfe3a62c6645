import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  findRecipient,
  runValues,
} from "../../../../components/runs/recipients/recipient_choices.ts";
import { runCode } from "../../../../components/runs/search/export_runs.ts";
import { parseRunView, RUNS } from "../../../../components/runs/search/run_view.ts";
import { QueryField } from "../../../../components/search/search_form_view.tsx";
import * as published from "../../../../lib/mod.ts";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf } from "../../rendered.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

function parse(query: string) {
  return parseRunView(new URLSearchParams(query), { zone: "UTC", now: NOW });
}

Deno.test("parseRunView: reads a view, and names every parameter that can't be used", () => {
  const { view, issues } = parse(
    "columns=status,shape&load=10000&limit=x&q=a:EQUALS:b&sort=text&x=",
  );
  assertEquals([view.columns, view.load, view.limit], [["status"], 10_000, undefined]);
  const parameters = ["limit", "columns", "x", "Query", "Query"];
  assertEquals(issues.map(({ parameter }) => parameter), parameters);
  assertEquals(parse("skip=0&limit=1").issues, []);
  const odd = parse("load=7");
  assertEquals(odd.view.load, undefined);
  const detail = "must be one of 10000";
  assertEquals(odd.issues, [{ parameter: "load", detail }]);
});

Deno.test("findRecipient: finds by name or address, or says why not", () => {
  const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };
  const runs = [{
    id: 1,
    recipients: [
      ann,
      ann,
      { userId: 2, displayName: "Ben", emailAddress: "ben@example.com" },
      { userId: 3, displayName: "Ben" },
      { displayName: "Cat", emailAddress: "cat@example.com" },
    ],
  }, { id: 2 }];
  const found = {
    "ann": 1,
    "BEN@example.com": 2,
    "Ben": "Several users match: enter one of 2, 3",
    "Cat": "This recipient has no user id: enter the domain, such as @example.com",
    "x@y.org": "No loaded run went to this address",
    "Dan": "Enter the name, user id or address of a recipient, or a domain such as @example.com",
  };
  for (const [text, id] of Object.entries(found)) assertEquals(findRecipient(text, runs), id);
});

Deno.test("runValues: statuses, and names that only one recipient has", () => {
  const runs = ["success", "failure", "success", null].map((status, id) => ({ id, status }));
  const recipients = ["Hiro Fischer", "Ann", "Ann", "c…@example.com", ""]
    .map((name, userId) => ({ userId, name }));
  assertEquals(runValues(runs, recipients), {
    status: ["success", "failure"],
    recipient: ["Hiro Fischer"],
  });
});

Deno.test("QueryField: offers fields, their values, and those of the rows", () => {
  const values = { status: ["late"], recipient: ["Hiro Fischer"] };
  const html = htmlOf(
    <QueryField table={RUNS.table} query="" example="took:>5m" values={values} />,
  );
  const words = [...html.matchAll(/<option value="([^"]*)"/g)].map(([, word]) => word);
  const some = ["took:", "status:late", "trigger:manual", "started:last-month"];
  for (const word of [...some, "recipient:&quot;Hiro Fischer&quot;"]) assert(words.includes(word));
});

const target = { origin: "https://docket.example", tokenHeader: "X-SERVICE-Developer-Token" };

Deno.test("runCode: writes a link, the request, and a script with published imports", () => {
  const { view } = parse("q=status:failure&limit=50&skip=50");
  const { link, curl, script } = runCode(102, view, target);
  assertEquals(link, "https://docket.example/schedules/102?q=status:failure&limit=50&skip=50");
  assertMatch(curl, /\/reportschedules\/102\/history\?limit=50&skip=50.*\$DOCKET_TOKEN/s);
  assert(script.includes("await Array.fromAsync(client.reportSchedules.history(102));"));
  const [, names] = /^import \{ (.+) \} from "jsr:@docket\/docket";/.exec(script)!;
  for (const name of names.split(", ")) assert(name in published, name);
  const other = runCode(102, view, { ...target, tokenHeader: "X-Other" }).script;
  const headers = [script, other].map((text) => /tokenHeader: (.*),/.exec(text)?.[1]);
  assertEquals(headers, [undefined, '"X-Other"']);
});

Deno.test("runCode: the script prints the runs that the page shows", async () => {
  const runs: ReportRun[] = [
    { id: 1, status: "failure", recipientCount: 0 },
    { id: 2, status: "success", recipientCount: 5 },
    { id: 3, status: "failure", recipientCount: 4 },
  ];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  for (const query of ["", "q=-status:success&sort=-recipients"]) {
    const { view } = parse(query);
    const { script } = runCode(1, view, target);
    const printed: number[] = [];
    await new AsyncFunction(
      ...["client", "searchRuns", "console"],
      script.slice(script.indexOf("});") + 3),
    )(
      { reportSchedules: { history: () => ReadableStream.from(runs) } },
      published.searchRuns,
      { log: (id: number) => printed.push(id) },
    );
    assertEquals(printed, searchRuns(runs, view.body).map(({ id }) => id), query);
  }
});
