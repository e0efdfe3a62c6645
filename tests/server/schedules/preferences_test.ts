import { assert, assertEquals } from "@std/assert";
import { defaultStatusDictionary, type StatusDictionary } from "../../../lib/runs/status.ts";
import { RUN_COLUMNS } from "../../../components/runs/search/run_view.ts";
import {
  type Preferences,
  readPreferences,
  writePreferences,
} from "../../../server/schedules/preferences.ts";
import { fitsCookie } from "../../../server/schedules/status_dictionary.ts";

const CHOSEN: Preferences = {
  zone: "America/New_York",
  theme: "dark",
  density: "compact",
  shortcuts: false,
  statuses: { "ok: fine": "good", "done.": "good", skipped: "bad" },
  runColumns: ["status", "ownerId"],
};

function readFrom(cookie: string): Preferences {
  return readPreferences(new Headers(cookie ? { cookie } : {}));
}

const DEFAULTS = readFrom("");

Deno.test("writePreferences: what is written is read back", () => {
  const headers = new Headers();
  writePreferences(headers, CHOSEN, false);
  assertEquals(readFrom(headers.getSetCookie()[0].split(";")[0]), CHOSEN);
});

Deno.test("readPreferences: without a cookie all is as it is at first", () => {
  assertEquals(DEFAULTS, {
    zone: "UTC",
    theme: "system",
    density: "comfortable",
    shortcuts: true,
    statuses: defaultStatusDictionary(),
    runColumns: [],
  });
});

Deno.test("readPreferences: what can't be used has its default, and the rest counts", () => {
  const junk = new URLSearchParams({
    zone: "Nowhere/At_All",
    theme: "pink",
    density: "compact",
    statuses: "done=good&odd=purple&=bad&%E0%A4%A&x",
  });
  assertEquals(readFrom(`docket_preferences=${junk}`), {
    ...DEFAULTS,
    density: "compact",
    statuses: { done: "good" },
  });
});

Deno.test("writePreferences: a full dictionary and all columns fit into a cookie", () => {
  const headers = new Headers();
  const statuses: StatusDictionary = Object.fromEntries(
    Array.from({ length: 35 }, (_, index) => [`a status, the ${index}th`, "bad" as const]),
  );
  assert(fitsCookie(statuses) && !fitsCookie({ ...statuses, ["one more".repeat(60)]: "bad" }));
  const runColumns = [...RUN_COLUMNS];
  writePreferences(headers, { ...CHOSEN, statuses, runColumns }, true);
  const [cookie] = headers.getSetCookie();
  assertEquals(cookie.length < 4096, true, String(cookie.length));
  assertEquals(readFrom(cookie.split(";")[0]).runColumns, runColumns);
});
