import { assert, assertEquals } from "@std/assert";
import { RunChips } from "../../../../components/runs/search/run_chips.tsx";
import { runCode } from "../../../../components/runs/search/run_code.ts";
import { findRecipient } from "../../../../components/runs/search/find_recipient.ts";
import { FilterForm } from "../../../../components/runs/search/filter_form.tsx";
import {
  readBytes,
  readSeconds,
  splitSearch,
} from "../../../../components/runs/search/quick_filter.ts";
import {
  addOperators,
  parseRunView,
  readRunForm,
} from "../../../../components/runs/search/run_form.ts";
import { rememberedColumns, shownColumns } from "../../../../components/runs/search/run_columns.ts";
import { RunResults } from "../../../../components/runs/search/run_results.tsx";
import { runDateText, runFilterText } from "../../../../components/runs/search/run_search_text.ts";
import { runsHref, type RunView } from "../../../../components/runs/run_links.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";

const view: RunView = { body: {}, limit: 100, skip: 0, load: 1000 };
const names = new Map([[2008, "Hiro Fischer"]]);

function viewOf(query: string): RunView {
  return parseRunView(new URLSearchParams(query)).view;
}

function formOf(fields: Readonly<Record<string, string>>, zone = "UTC") {
  const known = (typed: string) => /^\d+$/.test(typed) ? { userId: Number(typed) } : "is unknown";
  return readRunForm(new URLSearchParams(fields), { zone, findRecipient: known });
}

function linkOf(fields: Readonly<Record<string, string>>, zone?: string): string {
  const { view, issues, fieldIssues } = formOf(fields, zone);
  assertEquals([...issues, ...fieldIssues], []);
  return runsHref(1, view);
}

Deno.test("runFilterText: conditions in words, with units and names", () => {
  const text = (field: string, operator: string, value: readonly string[], not?: true) =>
    runFilterText({ field, operator, value, ...(not && { not }) }, { names });
  assertEquals(text("status", "EQUALS", ["failure", "late"]), "Status is failure or late");
  assertEquals(text("status", "EQUALS", ["failure"], true), "Status is not failure");
  assertEquals(text("status", "IN", [""]), "Status is one of “”");
  assertEquals(text("duration", "GREATER_THAN", ["120"]), "Duration is over 2 min");
  assertEquals(text("duration", "LESS_THAN", ["1"], true), "Duration is not under 1 s");
  assertEquals(
    text("emailSize", "LESS_THAN_OR_EQUAL", ["1500000"]),
    "Email size is at most 1.5 MB",
  );
  assertEquals(text("cardCount", "GREATER_THAN_OR_EQUAL", ["8"]), "Cards is at least 8");
  assertEquals(text("automated", "EQUALS", ["true"]), "Trigger is automated");
  assertEquals(text("automated", "EQUALS", ["false"]), "Trigger is manual");
  assertEquals(text("recipient", "EQUALS", ["2008", "7"]), "Recipient is Hiro Fischer or user 7");
  assertEquals(text("recipientDomain", "EQUALS", ["a.org"]), "Recipient domain is a.org");
  assertEquals(text("text", "LIKE", ["x"], true), "Text does not contain x");
  assertEquals(text("endTime", "IS_NULL", []), "Ended has no value");
  assertEquals(text("endTime", "IS_NULL", [], true), "Ended has a value");
  assertEquals(runFilterText({ field: "status", value: ["late"] }, { names }), "Status is late");
  assertEquals(text("colour", "NEAR", ["x"], true), "colour not NEAR x");
});

Deno.test("runDateText: days of the zone as days, other times to the minute", () => {
  const text = (start?: string, end?: string, zone = "UTC", not?: true) =>
    runDateText({
      field: "startTime",
      ...(start && { start }),
      ...(end && { end }),
      ...(not && { not }),
    }, {
      zone,
    });
  const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  assertEquals(text(first, second), "Started on 2026-01-01");
  assertEquals(text(first, "2026-01-04T00:00:00Z"), "Started from 2026-01-01 to 2026-01-03");
  assertEquals(text(first), "Started from 2026-01-01");
  assertEquals(text(undefined, second), "Started until 2026-01-01");
  assertEquals(text(undefined, second, "UTC", true), "Started is not until 2026-01-01");
  assertEquals(text(), "Started at any time");
  assertEquals(
    text(first, "2026-01-02T06:00:00Z"),
    "Started from 2026-01-01 00:00 and before 2026-01-02 06:00 UTC",
  );
  assertEquals(
    text(first, second, "Europe/Berlin"),
    "Started from 2026-01-01 01:00 and before 2026-01-02 01:00 Berlin time",
  );
});

Deno.test("RunChips: each condition is negated and removed by a link, each key reversed", () => {
  const chips = (query: string) =>
    linksOf(
      htmlOf(<RunChips view={viewOf(query)} words={{ zone: "UTC", names }} />)
        .replace(/<a ([^>]*)aria-label="([^"]+)"([^>]*)>[^<]*/g, "<a $1 $3>$2"),
    );
  assertEquals(chips("filter=status:EQUALS:failure&sort=duration&skip=100"), {
    "Negate: Status is failure": "?filter=!status:EQUALS:failure&sort=duration#runs",
    "Remove: Status is failure": "?sort=duration#runs",
    "Reverse: sorted by Duration, ascending":
      "?filter=status:EQUALS:failure&sort=duration:DESC#runs",
    "Remove: sorted by Duration, ascending": "?filter=status:EQUALS:failure#runs",
    "Clear all": "?#runs",
  });
  assertEquals(chips("date=!startTime:2026-01-01T00:00:00Z.."), {
    "Negate: Started is not from 2026-01-01": "?date=startTime:2026-01-01T00:00:00Z..#runs",
    "Remove: Started is not from 2026-01-01": "?#runs",
  });
  assertEquals(htmlOf(<RunChips view={view} words={{ zone: "UTC", names }} />), "");
});

Deno.test("readRunForm: the quick filter as a search, with days of the zone and units", () => {
  assertEquals(
    linkOf({ from: "2026-06-01", through: "2026-06-01" }, "Europe/Berlin"),
    "/schedules/1?date=startTime:2026-05-31T22:00:00Z..2026-06-01T22:00:00Z",
  );
  assertEquals(
    linkOf({ through: "2026-06-01" }),
    "/schedules/1?date=startTime:..2026-06-02T00:00:00Z",
  );
  assertEquals(
    linkOf({ "min-seconds": "1.5 h", "max-seconds": "7200" }),
    "/schedules/1?filter=duration:GREATER_THAN_OR_EQUAL:5400" +
      "&filter=duration:LESS_THAN_OR_EQUAL:7200",
  );
  assertEquals(linkOf({ trigger: "manual" }), "/schedules/1?filter=automated:EQUALS:false");
  assertEquals(
    linkOf({ attachments: "with" }),
    "/schedules/1?filter=attachmentCount:GREATER_THAN:0",
  );
  assertEquals(linkOf({ text: " a b " }), "/schedules/1?filter=text:LIKE:a+b");
  assertEquals(
    linkOf({ skip: "200", limit: "50", load: "2000" }),
    "/schedules/1?limit=50&load=2000",
  );
});

Deno.test("readRunForm: an added condition, in the words of its field", () => {
  const added = (field: string, operator: string, value: string) =>
    linkOf({ "new-field": field, "new-operator": operator, "new-value": value }).split("?")[1];
  assertEquals(added("status", "!EQUALS", "a, b"), "filter=!status:EQUALS:a,b");
  assertEquals(
    added("emailSize", "GREATER_THAN", "1.5 MB"),
    "filter=emailSize:GREATER_THAN:1500000",
  );
  assertEquals(added("automated", "EQUALS", "Manual"), "filter=automated:EQUALS:false");
  assertEquals(added("automated", "EQUALS", "automated"), "filter=automated:EQUALS:true");
  assertEquals(added("recipientDomain", "EQUALS", "@A.org"), "filter=recipientDomain:EQUALS:a.org");
  assertEquals(added("endTime", "FROM", "2026-01-31"), "date=endTime:2026-01-31T00:00:00Z..");
  assertEquals(added("endTime", "UNTIL", "2026-01-31"), "date=endTime:..2026-02-01T00:00:00Z");
  assertEquals(added("endTime", "IS_NULL", ""), "filter=endTime:IS_NULL");
  assertEquals(added("endTime", "!IS_NULL", ""), "filter=!endTime:IS_NULL");
});

Deno.test("readRunForm, rememberedColumns: columns that were chosen anew, unless they are the default", () => {
  const chosen = (query: string) =>
    readRunForm(new URLSearchParams(query), { zone: "UTC", findRecipient: () => "" }).chosenColumns;
  assertEquals(chosen("column=duration&column=status&shown-columns=status"), [
    "status",
    "duration",
  ]);
  assertEquals(chosen("column=status&shown-columns=status&columns=status"), null);
  assertEquals(chosen("shown-columns=status"), null);
  assertEquals(rememberedColumns(["id"]), ["id"]);
  const [, ...usual] = shownColumns(undefined, []);
  assertEquals(rememberedColumns(usual), []);
});

Deno.test("readRunForm: columns in the table's order; those of the link stay without any", () => {
  const columns = (query: string) =>
    readRunForm(new URLSearchParams(query), { zone: "UTC", findRecipient: () => "" }).view.columns;
  assertEquals(columns("column=duration&column=status&column=x"), ["status", "duration"]);
  assertEquals(columns("columns=id"), ["id"]);
  assertEquals(columns(""), undefined);
});

Deno.test("readRunForm: what is wrong, at its field", () => {
  const issues = (fields: Readonly<Record<string, string>>) =>
    formOf(fields).fieldIssues.map(({ field, detail }) => `${field} ${detail}`);
  assertEquals(issues({ from: "x", through: "2026-02-30" }), [
    "from must be a date, such as 2026-01-31",
    "through must be a date, such as 2026-01-31",
  ]);
  assertEquals(issues({ from: "2026-02-02", through: "2026-02-01" }), [
    "through must not be before From",
  ]);
  assertEquals(issues({ from: "2026-02-02", through: "2026-02-02" }), []);
  assertEquals(issues({ trigger: "x" }), ["trigger must be automated or manual"]);
  assertEquals(issues({ attachments: "x" }), ["attachments must be with or without"]);
  assertEquals(issues({ "max-seconds": "2 days" }), [
    "max-seconds must be a time, such as 90 s or 2 min",
  ]);
  assertEquals(issues({ recipient: "Ann" }), ["recipient is unknown"]);
  const added = (field: string, operator: string, value: string) =>
    issues({ "new-field": field, "new-operator": operator, "new-value": value });
  assertEquals(added("", "EQUALS", "x"), ["new-field is required with a value"]);
  assertEquals(added("colour", "EQUALS", "x"), ["new-field must be one of those offered"]);
  assertEquals(added("automated", "LIKE", "x"), [
    "new-operator Trigger can be compared by: is, is not, has no value, has a value",
  ]);
  assertEquals(added("status", "EQUALS", ""), ["new-value is required"]);
  assertEquals(added("endTime", "FROM", "x"), ["new-value must be a date, such as 2026-01-31"]);
  assertEquals(added("automated", "EQUALS", "x"), ["new-value must be automated or manual"]);
  assertEquals(added("emailSize", "EQUALS", "1 TB"), [
    "new-value must be a number of bytes, or such as 1.5 MB",
  ]);
  assertEquals(added("duration", "EQUALS", "x"), [
    "new-value must be a time, such as 90 s or 2 min",
  ]);
  assertEquals(added("cardCount", "EQUALS", "x"), ["new-value cardCount must be a whole number"]);
});

Deno.test("parseRunView: reads a view, and names every parameter that can't be used", () => {
  const { view, issues } = parseRunView(
    new URLSearchParams(
      "columns=status,shape&load=2000&pick=on&limit=x&sort=text&filter=a:EQUALS:b",
    ),
  );
  assertEquals([view.columns, view.load, view.pick, view.limit], [["status"], 2000, true, 100]);
  assertEquals(issues.map(({ parameter }) => parameter), ["limit", "filter", "sort", "columns"]);
  assertEquals(
    issues[3].detail.startsWith("no column is called shape; use startTime, endTime, status, "),
    true,
  );
  const odd = parseRunView(new URLSearchParams("load=7"));
  assertEquals(odd.view.load, 1000);
  assertEquals(odd.issues, [{
    parameter: "load",
    detail: "must be one of 1000, 2000, 5000, 10000",
  }]);
});

Deno.test("RunChips: of several sort keys, each is removed alone", () => {
  const html = htmlOf(
    <RunChips view={viewOf("sort=duration&sort=id&sort=status")} words={{ zone: "UTC", names }} />,
  );
  assertEquals(
    [...html.matchAll(/class="cross" href="([^"]+)"|href="([^"]+)"[^>]*class="cross"/g)]
      .map(([, one, two]) => (one ?? two).replaceAll("&amp;", "&")),
    ["?sort=id&sort=status#runs", "?sort=duration&sort=status#runs", "?sort=duration&sort=id#runs"],
  );
});

Deno.test("addOperators: those that fit the field", () => {
  assertEquals(addOperators("status"), [
    "EQUALS",
    "!EQUALS",
    "LIKE",
    "!LIKE",
    "IS_NULL",
    "!IS_NULL",
  ]);
  assertEquals(addOperators("startTime"), ["FROM", "UNTIL", "IS_NULL", "!IS_NULL"]);
  assertEquals(addOperators("text"), ["LIKE", "!LIKE"]);
  assertEquals(addOperators("nothing"), []);
});

Deno.test("readSeconds, readBytes: numbers with and without a unit", () => {
  assertEquals(["90", "2 min", "1h", "0.5 s", "x", "", "2 d", "-1"].map(readSeconds), [
    "90",
    "120",
    "3600",
    "0.5",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals(["90", "1.5 KB", "2 mb", "1 GB", "5 bytes", "5 miles"].map(readBytes), [
    "90",
    "1500",
    "2000000",
    "1000000000",
    "5",
    undefined,
  ]);
});

Deno.test("splitSearch: what the quick filter shows of a search, and what it can't", () => {
  const split = (query: string, zone = "UTC") => splitSearch(viewOf(query).body, zone);
  const fields = {
    "status": "failure",
    "trigger": "automated",
    "from": "2026-01-01",
    "through": "2026-01-31",
    "min-seconds": "30",
    "max-seconds": "60",
    "attachments": "with",
    "recipient": "7",
    "text": "x",
  };
  const link = linkOf(fields);
  const { quick, rest } = split(link.split("?")[1]);
  assertEquals(quick, {
    status: ["failure"],
    trigger: "automated",
    from: "2026-01-01",
    through: "2026-01-31",
    minSeconds: "30 s",
    maxSeconds: "60 s",
    attachments: "with",
    recipient: "7",
    text: "x",
  });
  assertEquals(rest, { filters: [], dateFilters: [] });
  for (
    const other of [
      "filter=!status:EQUALS:failure",
      "filter=duration:GREATER_THAN:3",
      "filter=attachmentCount:EQUALS:2",
      "filter=recipient:EQUALS:1,2",
    ]
  ) {
    assertEquals([other, split(other).rest.filters!.length], [other, 1]);
  }
  assertEquals(split("filter=text:LIKE:a&filter=text:LIKE:b").rest.filters!.length, 1);
  // Midnight of another zone is no day here.
  const day = "date=startTime:2026-01-01T00:00:00Z..";
  assertEquals(split(day).rest.dateFilters, []);
  assertEquals(split(day, "Europe/Berlin").rest.dateFilters!.length, 1);
});

Deno.test("findRecipient: by id, name or address, and why nobody is found", () => {
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
  assertEquals(findRecipient("17", runs), { userId: 17 });
  assertEquals(findRecipient("ann", runs), { userId: 1 });
  assertEquals(findRecipient("BEN@example.com", runs), { userId: 2 });
  assertEquals(findRecipient("Ben", runs), "fits several users: enter one of 2, 3");
  assertEquals(
    findRecipient("Cat", runs),
    "has no user id: filter by the domain, such as @example.com",
  );
  assertEquals(findRecipient("x@y.org", runs), "is an address that no loaded run went to");
  assertEquals(
    findRecipient("Dan", runs),
    "must be a name, a user id, an address or a domain of a loaded run",
  );
  assertEquals(findRecipient("9".repeat(20), runs), "must be a user id with fewer digits");
});

Deno.test("FilterForm: shows the search, with a recipient's name, and keeps the rest of it", () => {
  const html = htmlOf(
    <FilterForm
      scheduleId={102}
      view={viewOf(
        "filter=status:EQUALS:failure&filter=recipient:EQUALS:2008&filter=cardCount:EQUALS:8&sort=duration&limit=50",
      )}
      columns={["startTime", "status"]}
      choices={{
        statuses: ["failure", "success"],
        recipients: [
          { userId: 2008, name: "Hiro Fischer" },
          { userId: 1, name: "Ann" },
          { userId: 2, name: "Ann" },
          { userId: 3, name: "c…@example.com" },
        ],
      }}
      zone="UTC"
    />,
  );
  assert(html.includes('action="/schedules/102#runs"'));
  assertEquals(
    [...html.matchAll(/type="hidden" name="(filter|date|sort|limit)" value="([^"]+)"/g)]
      .map(([, name, value]) => `${name}=${value}`),
    [
      "filter=cardCount:EQUALS:8",
      "sort=duration",
      "limit=50",
    ],
  );
  assertEquals(/name="recipient"[^>]* value="([^"]*)"/.exec(html)?.[1], "Hiro Fischer");
  assertEquals([...html.matchAll(/<option value="([^"]+)"><\/option>/g)].map(([, name]) => name), [
    "Hiro Fischer",
  ]);
  assertEquals(/value="failure" checked/.test(html), true);
  assertEquals(/value="success" checked/.test(html), false);
  assertEquals(textsOf(html, "legend"), ["Status", "Filter", "Add filter", "Columns"]);
  assertEquals(html.includes("-issue"), false);
});

Deno.test("RunResults: the end, nothing found, and selecting", () => {
  const results = (query: string, count: number) =>
    htmlOf(
      <RunResults
        scheduleId={101}
        view={viewOf(query)}
        runs={Array.from({ length: count }, (_, id) => ({ id }))}
        columns={["startTime"]}
        dictionary={defaultStatusDictionary()}
        words={{ zone: "UTC", names }}
      />,
    );
  const none = results("filter=status:EQUALS:x&limit=50", 0);
  assert(textOf(none).includes("No runs match the filter. Show all runs"));
  assertEquals(linksOf(none)["Show all runs"], "?limit=50#runs");
  const beyond = results("skip=100", 30);
  assert(textOf(beyond).includes("There are no more runs. Go to the first page"));
  assertEquals(linksOf(beyond)["Go to the first page"], "?#runs");
  const page = results("limit=10&skip=10", 30);
  assertEquals(linksOf(page).Previous, "?limit=10#runs");
  assert(page.includes('aria-label="Pages of runs"'));
  assertEquals(linksOf(page).Next, "?limit=10&skip=20#runs");
  assertEquals(textsOf(page, "tr").length, 11);
  assertEquals(linksOf(page)["Select runs to compare"], "?limit=10&skip=10&pick=on#runs");
  const picked = results("pick=on", 3);
  assert(picked.includes('action="/schedules/101/compare"'));
  assertEquals(textsOf(picked, "p"), ["Select two runs. Compare selected runs Cancel"]);
  assertEquals(linksOf(picked).Cancel, "?#runs");
});

Deno.test("runCode: a link, the request, and a script that filters and sorts as the page does", () => {
  const target = { origin: "https://docket.example", tokenHeader: "X-SERVICE-Developer-Token" };
  const code = (query: string) => runCode(102, viewOf(query), target);
  const { link, curl, script } = code("filter=status:EQUALS:failure&limit=50&skip=50");
  assertEquals(
    link,
    "https://docket.example/schedules/102?filter=status:EQUALS:failure&limit=50&skip=50",
  );
  assert(curl.includes("/reportschedules/102/history?limit=50&skip=50"), curl);
  assert(curl.includes("$DOCKET_TOKEN"));
  assert(script.startsWith('import { createClient, runFilter } from "jsr:@docket/docket";'));
  assert(script.includes("for await (const run of client.reportSchedules.history(102)) {"));
  assert(script.includes("if (!matches(run)) continue;"));
  const sorted = code("sort=duration:DESC").script;
  assert(sorted.includes("import { createClient, searchRuns }"));
  assert(sorted.includes("for (const run of searchRuns(runs, {"));
  assert(code("").script.startsWith("import { createClient } from"));
});
