import { assertEquals } from "@std/assert";
import type { Backend } from "../../../lib/client/backend.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { recipientExport } from "../../../server/schedules/recipient_export.ts";

const HEAD = "id,startTime,endTime,status,reportTitle,userId,displayName,emailAddress";

async function exported(runs: readonly ReportRun[], addressesShown: boolean) {
  const backend: Backend = {
    fileSets: { search: () => Promise.reject(new Error("Not asked for")) },
    reportSchedules: {
      history: (_id, { skip = 0 } = {}) => Promise.resolve(runs.slice(skip)),
    },
  };
  const { signal } = new AbortController();
  const onError = () => {};
  const response = await recipientExport(backend, 7, { addressesShown, signal, onError });
  const text = await response.text();
  return { text: text.trimEnd().split(/\r?\n/), headers: response.headers };
}

Deno.test("recipientExport: without runs it is a file with a header and nothing else", async () => {
  const { text, headers } = await exported([], false);
  assertEquals(text, [HEAD]);
  assertEquals(headers.get("content-type"), "text/csv; charset=utf-8");
  const name = 'attachment; filename="schedule-7-recipients.csv"';
  assertEquals(headers.get("content-disposition"), name);
});

Deno.test("recipientExport: addresses are masked unless they are asked for, in names as well", async () => {
  const recipients = [
    { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" },
    { userId: 2, displayName: "bob@example.com" },
  ];
  const runs = [{ id: 5, status: "success", recipients }];
  assertEquals((await exported(runs, true)).text.slice(1), [
    "5,,,success,,1,Ann,ann@example.com",
    "5,,,success,,2,bob@example.com,",
  ]);
  assertEquals((await exported(runs, false)).text.slice(1), [
    "5,,,success,,1,Ann,a…@example.com",
    "5,,,success,,2,b…@example.com,",
  ]);
});
