import { assertEquals } from "@std/assert";
import { type Preferences, readPreferences } from "../../../server/schedules/preferences.ts";

function readFrom(cookie: string): Preferences {
  return readPreferences(new Headers(cookie ? { cookie } : {}));
}

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
