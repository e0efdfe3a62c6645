import { assert, assertEquals } from "@std/assert";
import { findRecipient } from "../../../../components/runs/recipients/recipient_choices.ts";
import { runCode } from "../../../../components/runs/search/run_code.ts";
import { parseRunView, RUNS } from "../../../../components/runs/search/run_view.ts";
import { runValues } from "../../../../components/runs/search/run_suggestions.ts";
import { runsHref, type RunView, viewHref } from "../../../../components/runs/run_links.tsx";
import { completeQuery } from "../../../../components/search/follow_search.ts";
import { SearchForm } from "../../../../components/search/search_form_view.tsx";
import { formatCondition, formatSortKey } from "../../../../components/search/search_words.ts";
import * as published from "../../../../lib/mod.ts";
import { searchRuns } from "../../../../lib/runs/filter.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { withBrowserPage } from "../../browser_page.ts";
import { htmlOf } from "../../rendered.ts";

const names = new Map([[2008, "Hiro Fischer"]]);
const WORDS = { table: RUNS.table, zone: "UTC", names };
const NOW = Date.parse("2026-06-15T12:00:00Z");

function parse(query: string) {
  return parseRunView(new URLSearchParams(query), { zone: "UTC", now: NOW });
}

function viewOf(query: string): RunView {
  return parse(query).view;
}

Deno.test("formatCondition: conditions on runs in words, with units and names", () => {
  const text = (field: string, operator: string, value: readonly string[], not?: true) =>
    formatCondition({ field, operator, value, ...(not && { not }) }, WORDS);
  const cases: readonly (readonly [...Parameters<typeof text>, string])[] = [
    ["status", "EQUALS", ["failure", "late"], undefined, "status is failure or late"],
    ["duration", "LESS_THAN", ["120"], true, "duration is not under 2 min"],
    ["emailSize", "LESS_THAN_OR_EQUAL", ["1500000"], undefined, "email size is at most 1.5 MB"],
    ["automated", "EQUALS", ["true"], undefined, "trigger is automated"],
    ["automated", "EQUALS", ["false"], undefined, "trigger is manual"],
    ["recipient", "EQUALS", ["2008", "7"], undefined, "recipient is Hiro Fischer or user 7"],
    ["endTime", "IS_NULL", [], true, "ended has a value"],
    ["colour", "NEAR", ["x"], true, "colour not NEAR x"],
  ];
  for (const [field, operator, value, not, words] of cases) {
    assertEquals(text(field, operator, value, not as true | undefined), words);
  }
  const times = { start: "2026-01-01T00:00:00Z", end: "2026-01-02T06:00:00Z" };
  assertEquals(
    formatCondition({ field: "startTime", ...times }, WORDS),
    "started from 2026-01-01 00:00 and before 2026-01-02 06:00 UTC",
  );
  assertEquals(
    formatSortKey({ field: "duration", order: "DESC" }, RUNS.table),
    "duration, descending",
  );
});

Deno.test("parseRunView: reads a view, and names every parameter that can't be used", () => {
  const { view, issues } = parse(
    "columns=status,shape&load=2000&limit=x&q=a:EQUALS:b&sort=text&status=failure",
  );
  assertEquals([view.columns, view.load, view.limit], [["status"], 2000, undefined]);
  assertEquals(issues.map(({ parameter }) => parameter), [
    ...["limit", "columns", "status", "Query", "Query"],
  ]);
  assertEquals(
    issues[1].detail.startsWith("no column is called shape; use startTime, endTime, status, "),
    true,
  );
  const odd = parse("load=7");
  assertEquals(odd.view.load, undefined);
  assertEquals(odd.issues, [{
    parameter: "load",
    detail: "must be one of 1000, 2000, 5000, 10000",
  }]);
});

Deno.test("parseRunView: turns a query into conditions, and keeps ranges relative", () => {
  const view = viewOf("q=status:failure+started:last-month+-recipient:@a.org&limit=50");
  assertEquals(
    runsHref(1, view),
    "/schedules/1?q=status:failure+-recipient:@a.org+started:last-month&limit=50",
  );
  const again = parse(runsHref(1, view).split("?")[1]);
  assertEquals(again.query, "status:failure -recipient:@a.org started:last-month");
  const { meant, issues } = parse("q=stauts:failure");
  assertEquals([issues.length, meant?.query], [1, "status:failure"]);
  assertEquals(parse("q=text:OR:x+colour:red").meant, undefined);
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

Deno.test("SearchForm: lets the browser complete the last word of the query", () => {
  const html = htmlOf(
    <SearchForm
      page={{ ...WORDS, view: viewOf(""), href: viewHref }}
      target={{ action: "/schedules/1", method: "post" }}
      {...{ query: "", all: "?", example: "took:>5m", help: "", error: null }}
      condition={{ field: "", operator: "EQUALS", value: "" }}
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
});

/** The ids of runs that a script prints, given what the service has. */
async function printedBy(script: string, runs: readonly ReportRun[]): Promise<number[]> {
  const printed: number[] = [];
  const body = script.slice(script.indexOf("});") + 3);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const history = () => ReadableStream.from(runs);
  const console = { log: (id: number) => printed.push(id) };
  await new AsyncFunction("client", "searchRuns", "console", body)(
    { reportSchedules: { history } },
    published.searchRuns,
    console,
  );
  return printed;
}

Deno.test("runCode: the script prints the runs that the page shows", async () => {
  const at = (day: number, hour: number) => new Date(Date.UTC(2026, 0, day, hour)).toISOString();
  const runs: ReportRun[] = [
    { id: 1, status: "failure", startTime: at(3, 6), endTime: at(3, 8), recipientCount: 0 },
    { id: 2, status: "success", startTime: at(2, 6), endTime: at(2, 7), automated: false },
    { id: 3, status: "", startTime: at(1, 6), reportTitle: "Payroll", recipientCount: 4 },
    { id: 4, recipients: [{ userId: 7, emailAddress: "ann@Example.COM" }], recipientCount: 4 },
  ];
  const queries = [
    "",
    "q=status:failure,success",
    "q=-status:failure&sort=-status,id",
    "q=no:status",
    "q=took:%3E3600",
    "q=has:took&sort=took",
    "q=recipients:%3C%3D0",
    "q=trigger:manual",
    "q=PAY,fail",
    "q=recipient:7",
    "q=recipient:@example.com",
    "q=started:2026-01-02T00%253A00Z..2026-01-03T00%253A00Z",
    "q=-started:..2026-01-02T00%253A00Z",
    "sort=-recipients,started",
  ];
  for (const query of queries) {
    const view = viewOf(query);
    assertEquals(
      await printedBy(runCode(1, view, target).script, runs),
      searchRuns(runs, view.body).map(({ id }) => id),
      query,
    );
  }
});
