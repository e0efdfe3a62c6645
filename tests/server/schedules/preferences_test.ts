import { assert, assertEquals } from "@std/assert";
import { RUNS } from "../../../components/runs/search/run_view.ts";
import {
  type Preferences,
  readPreferences,
  writePreferences,
} from "../../../server/schedules/preferences.ts";

const readFrom = (cookie: string) => readPreferences(new Headers({ cookie }));

Deno.test("writePreferences: what is written is read back, with all columns in one cookie", () => {
  const looks = { theme: "dark", density: "compact", shortcuts: false } as const;
  const chosen: Preferences = { zone: "America/New_York", ...looks, runColumns: [...RUNS.columns] };
  for (const isSecure of [true, false]) {
    const headers = new Headers();
    writePreferences(headers, chosen, isSecure);
    const [cookie] = headers.getSetCookie();
    assert(cookie.length < 4096, String(cookie.length));
    assertEquals(readFrom(cookie.split(";")[0]), chosen);
  }
});

Deno.test("readPreferences: what is missing or can't be used has its default, and the rest counts", () => {
  const defaults = readFrom("");
  assertEquals(Object.values(defaults), ["UTC", "system", "comfortable", true, []]);
  const junk = new URLSearchParams({ zone: "Nowhere/At_All", theme: "pink", density: "compact" });
  assertEquals(readFrom(`docket_preferences=${junk}`), { ...defaults, density: "compact" });
  // The zone is the browser's until a person chooses one.
  const berlin = "docket_zone=Europe%2FBerlin";
  const zones = [berlin, "docket_zone=Nowhere", `${berlin}; docket_preferences=zone=UTC`];
  assertEquals(zones.map((cookie) => readFrom(cookie).zone), ["Europe/Berlin", "UTC", "UTC"]);
});
