import { assert, assertEquals } from "@std/assert";
import {
  findRecipient,
  runValues,
} from "../../../../components/runs/recipients/recipient_choices.ts";
import { runCode } from "../../../../components/runs/search/run_code.ts";
import { parseRunView, RUNS } from "../../../../components/runs/search/run_view.ts";
import type { RunView } from "../../../../components/runs/run_links.tsx";
import { completeQuery } from "../../../../components/search/follow_search.ts";
import { QueryField } from "../../../../components/search/search_form_view.tsx";
import * as published from "../../../../lib/mod.ts";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { withBrowserPage } from "../../browser_page.ts";
import { htmlOf } from "../../rendered.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

function parse(query: string) {
  return parseRunView(new URLSearchParams(query), { zone: "UTC", now: NOW });
}

function viewOf(query: string): RunView {
  return parse(query).view;
}

Deno.test("parseRunView: reads a view, and names every parameter that can't be used", () => {
  const { view, issues } = parse(
    "columns=status,shape&load=2000&limit=x&q=a:EQUALS:b&sort=text&status=failure",
  );
  assertEquals([view.columns, view.load, view.limit], [["status"], 2000, undefined]);
  assertEquals(issues.map(({ parameter }) => parameter), [
    ...["limit", "columns", "status", "Query", "Query"],
  ]);
  const odd = parse("load=7");
  assertEquals(odd.view.load, undefined);
  assertEquals(odd.issues, [{
    parameter: "load",
    detail: "must be one of 1000, 2000, 5000, 10000",
  }]);
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
  const runs = [
    { id: 1, status: "success" },
    { id: 2, status: "failure" },
    { id: 3, status: "success" },
    { id: 4 },
  ];
  const recipients = ["Hiro Fischer", "Ann", "Ann", "c…@example.com", ""]
    .map((name, userId) => ({ userId, name }));
  assertEquals(runValues(runs, recipients), {
    status: ["success", "failure"],
    recipient: ["Hiro Fischer"],
  });
});

Deno.test("QueryField: lets the browser complete the last word of the query", () => {
  const html = htmlOf(
    <QueryField
      table={RUNS.table}
      query=""
      example="took:>5m"
      values={{ status: ["late"], recipient: ["Hiro Fischer"] }}
    />,
  );
  const words = [...html.matchAll(/<option value="([^"]*)"/g)].map(([, word]) => word);
  for (const word of ["took:", "status:late", "trigger:manual", "started:last-month"]) {
    assert(words.includes(word), word);
  }
  assert(words.includes("recipient:&quot;Hiro Fischer&quot;"));
  return withBrowserPage("", (page) => {
    document.body.insertAdjacentHTML(
      "beforeend",
      '<input id="q" list="words"><datalist id="words"><option value="took:"></datalist>',
    );
    const input = page.find<HTMLInputElement>("#q");
    // The test's browser has no lists.
    Object.defineProperty(input, "list", {
      value: { options: document.querySelectorAll("#words option") },
    });
    const offered = (typed: string) => {
      input.value = typed;
      completeQuery({ target: input } as never);
      return document.querySelector<HTMLOptionElement>("#words option")!.value;
    };
    assertEquals(
      ["", "to", "-to", "a:b t", 'x:"a b" -t'].map(offered),
      ["took:", "took:", "-took:", "a:b took:", 'x:"a b" -took:'],
    );
    return Promise.resolve();
  });
});

const target = { origin: "https://docket.example", tokenHeader: "X-SERVICE-Developer-Token" };

Deno.test("runCode: writes a link, the request, and a script with published imports", () => {
  const { link, curl, script } = runCode(
    102,
    viewOf("q=status:failure&limit=50&skip=50"),
    target,
  );
  assertEquals(
    link,
    "https://docket.example/schedules/102?q=status:failure&limit=50&skip=50",
  );
  assert(curl.includes("/reportschedules/102/history?limit=50&skip=50"), curl);
  assert(curl.includes("$DOCKET_TOKEN"));
  assert(script.includes("await Array.fromAsync(client.reportSchedules.history(102));"));
  const [, names] = /^import \{ (.+) \} from "jsr:@docket\/docket";/.exec(script)!;
  for (const name of names.split(", ")) assert(name in published, name);
  const other = runCode(102, viewOf(""), { ...target, tokenHeader: "X-Other" }).script;
  assertEquals([script, other].map((text) => /tokenHeader: (.*),/.exec(text)?.[1]), [
    undefined,
    '"X-Other"',
  ]);
});

Deno.test("runCode: the script prints the runs that the page shows", async () => {
  const runs: ReportRun[] = [
    { id: 1, status: "failure", recipientCount: 0 },
    { id: 2, status: "success", recipientCount: 5 },
    { id: 3, status: "failure", recipientCount: 4 },
  ];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  for (const query of ["", "q=-status:success&sort=-recipients"]) {
    const view = viewOf(query);
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
