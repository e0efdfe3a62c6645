import { assert, assertEquals } from "@std/assert";
import { type Column, DataTable, headingOf } from "../../../components/ui/data_table.tsx";
import { TableFrame } from "../../../components/ui/table_frame.tsx";
import { htmlOf, textsOf } from "../rendered.ts";

interface Town {
  readonly name: string;
  readonly people?: number | null;
  readonly founded?: string;
}

const COLUMNS: readonly Column<Town>[] = [
  { name: "Town", cell: ({ name }) => name },
  { name: "People", kind: "number", cell: ({ people }) => people },
  { name: "Founded", kind: "time", cell: ({ founded }) => founded },
  { name: "Actions", isUnseen: true, cell: (_, index) => index > 0 && "Leave" },
];

Deno.test("DataTable: a heading for each column, the zone of times, and a row header", () => {
  const rows = [{ name: "Lyon", people: 0, founded: "43 BC" }, { name: "", people: null }];
  const html = htmlOf(<DataTable name="Towns" columns={COLUMNS} rows={rows} />, "Europe/Paris");
  assertEquals(textsOf(html, "tr"), [
    "Town | People | Founded Paris time | Actions",
    "Lyon | 0 | 43 BC",
    "none | none | none | Leave",
  ]);
  assertEquals(textsOf(html, "caption"), ["Towns, times in Paris time"]);
  assert(html.includes('role="region" aria-label="Towns" tabindex="0"'), html);
  assertEquals(html.match(/<th scope="row">/g)?.length, 2);
  assert(html.includes('<th scope="col" class="number">People</th>'), html);
  assert(html.includes('<td class="number" data-label="People">0</td>'), html);
  assert(html.includes('<span class="unseen">Actions</span>'), html);
  assert(html.includes('<div class="scroll cards"') && html.includes("<td>Leave</td>"), html);
});

Deno.test("DataTable: without rows, shows the given text, or else its headings", () => {
  const table = { name: "Towns", columns: COLUMNS, rows: [] };
  const empty = htmlOf(<DataTable {...table} empty="No towns match." />);
  assertEquals(empty, '<div class="empty"><p>No towns match.</p></div>');
  assertEquals(textsOf(htmlOf(<DataTable {...table} />), "tr").length, 1);
});

Deno.test("TableFrame: names what it shows, without a zone where there are no times", () => {
  const html = htmlOf(
    <TableFrame
      name="Week"
      caption="Coming week"
      class="month"
      headings={headingOf({ name: "Mon" })}
    >
      <tr>
        <td>06:00</td>
      </tr>
    </TableFrame>,
  );
  assertEquals(textsOf(html, "caption"), ["Coming week"]);
  assert(html.includes('<div class="scroll month" role="region" aria-label="Week"'), html);
});
