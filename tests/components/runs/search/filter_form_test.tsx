import { assertEquals } from "@std/assert";
import { FilterForm, type TypedFilter } from "../../../../components/runs/search/filter_form.tsx";
import { parseRunView } from "../../../../components/runs/search/run_form.ts";
import { htmlOf, textsOf } from "../../rendered.ts";

function formOf(query: string, typed?: TypedFilter): string {
  return htmlOf(
    <FilterForm
      scheduleId={102}
      view={parseRunView(new URLSearchParams(query)).view}
      columns={["startTime", "status", "duration"]}
      choices={{ statuses: ["failure", "success"], recipients: [] }}
      {...(typed && { typed })}
      zone="UTC"
    />,
  );
}

Deno.test("FilterForm: the values of the search are in their fields", () => {
  const html = formOf(
    "filter=automated:EQUALS:false&filter=attachmentCount:EQUALS:0&filter=text:LIKE:late" +
      "&filter=duration:GREATER_THAN_OR_EQUAL:30&filter=duration:LESS_THAN_OR_EQUAL:60" +
      "&date=startTime:2026-01-01T00:00:00Z..2026-02-01T00:00:00Z&filter=recipientDomain:EQUALS:a.org",
  );
  const valueOf = (name: string) =>
    new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
  assertEquals(
    ["from", "through", "min-seconds", "max-seconds", "recipient", "text"].map(valueOf),
    [
      "2026-01-01",
      "2026-01-31",
      "30 s",
      "60 s",
      "@a.org",
      "late",
    ],
  );
  assertEquals(
    html.match(/<option selected value="\w+">\w+|<option value="\w+" selected>\w+/g)?.length,
    2,
  );
  assertEquals(
    [...html.matchAll(/name="column" value="(\w+)" checked/g)].map(([, name]) => name),
    ["startTime", "status", "duration"],
  );
});

Deno.test("FilterForm: what was typed stays, with what is wrong beside it; the fields are open", () => {
  const params = new URLSearchParams({
    "status": "paused",
    "min-seconds": "long",
    "new-field": "duration",
    "new-value": "x",
    "filter": "cardCount:EQUALS:8",
  });
  const html = formOf("filter=status:EQUALS:failure", {
    params,
    issues: [
      { field: "min-seconds", detail: "must be a number" },
      { field: "new-value", detail: "is odd" },
    ],
  });
  assertEquals(textsOf(html, "p"), ["✕ Min. duration must be a number.", "✕ Value is odd."]);
  assertEquals(/id="min-seconds"[^>]* value="long"/.test(html), true);
  assertEquals(/id="min-seconds"[^>]* aria-invalid/.test(html), true);
  assertEquals(/id="new-value"[^>]* value="x"/.test(html), true);
  assertEquals(/value="paused" checked/.test(html), true);
  assertEquals(/value="failure" checked/.test(html), false);
  assertEquals(/name="filter" value="cardCount:EQUALS:8"/.test(html), true);
  assertEquals(html.includes("<details open"), true);
});
