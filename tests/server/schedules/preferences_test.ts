import { assert, assertEquals } from "@std/assert";
import { RUNS } from "../../../components/runs/search/run_view.ts";
import {
  type Preferences,
  readPreferences,
  writePreferences,
} from "../../../server/schedules/preferences.ts";

function readFrom(cookie: string): Preferences {
  return readPreferences(new Headers(cookie ? { cookie } : {}));
}

Deno.test("writePreferences: what is written is read back, with all columns in one cookie", () => {
  const chosen: Preferences = {
    ...{ zone: "America/New_York", theme: "dark", density: "compact" },
    runColumns: [...RUNS.columns],
  };
  const headers = new Headers();
  writePreferences(headers, chosen, true);
  const [cookie] = headers.getSetCookie();
  assert(cookie.length < 4096, String(cookie.length));
  assertEquals(readFrom(cookie.split(";")[0]), chosen);
});

Deno.test("readPreferences: what is missing or can't be used has its default, and the rest counts", () => {
  const defaults = readFrom("");
  assertEquals(Object.values(defaults), ["UTC", "system", "comfortable", []]);
  const junk = new URLSearchParams({ zone: "Nowhere/At_All", theme: "pink", density: "compact" });
  assertEquals(readFrom(`docket_preferences=${junk}`), { ...defaults, density: "compact" });
  // The zone is the browser's until a person chooses one.
  assertEquals(readFrom("docket_zone=Europe%2FBerlin").zone, "Europe/Berlin");
  assertEquals(readFrom("docket_zone=Nowhere").zone, "UTC");
  assertEquals(readFrom("docket_zone=Europe%2FBerlin; docket_preferences=zone=UTC").zone, "UTC");
});
