import { assertEquals } from "@std/assert";
import { RUN_COLUMNS } from "../../../components/runs/search/run_view.ts";
import {
  type Preferences,
  readPreferences,
  writePreferences,
} from "../../../server/schedules/preferences.ts";

const CHOSEN: Preferences = {
  zone: "America/New_York",
  theme: "dark",
  density: "compact",
  shortcuts: false,
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
    runColumns: [],
  });
});

Deno.test("readPreferences: the zone is the browser's until a person chooses one", () => {
  assertEquals(readFrom("docket_zone=Europe%2FBerlin").zone, "Europe/Berlin");
  assertEquals(readFrom("docket_zone=Nowhere").zone, "UTC");
  assertEquals(readFrom("docket_zone=Europe%2FBerlin; docket_preferences=zone=UTC").zone, "UTC");
});

Deno.test("readPreferences: what can't be used has its default, and the rest counts", () => {
  const junk = new URLSearchParams({
    zone: "Nowhere/At_All",
    theme: "pink",
    density: "compact",
  });
  assertEquals(readFrom(`docket_preferences=${junk}`), {
    ...DEFAULTS,
    density: "compact",
  });
});

Deno.test("writePreferences: all columns fit into a cookie", () => {
  const headers = new Headers();
  const runColumns = [...RUN_COLUMNS];
  writePreferences(headers, { ...CHOSEN, runColumns }, true);
  const [cookie] = headers.getSetCookie();
  assertEquals(cookie.length < 4096, true, String(cookie.length));
  assertEquals(readFrom(cookie.split(";")[0]).runColumns, runColumns);
});
