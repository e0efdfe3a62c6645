import { assert, assertEquals } from "@std/assert";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import {
  fitsCookie,
  haveSameMeanings,
  readStatusDictionary,
  statusesOfForm,
  statusesToStore,
  writeStatusDictionary,
} from "../../../server/schedules/status_dictionary.ts";

Deno.test("statusesOfForm: rows in pairs; empty and unknown ones are left out", () => {
  const form = new URLSearchParams();
  for (
    const [status, meaning] of [
      ["Success", "good"],
      [" ERROR ", "bad"],
      ["paused", "unknown"],
      ["", "good"],
      ["odd", "purple"],
      ["removed", ""],
    ]
  ) {
    form.append("status", status);
    form.append("meaning", meaning);
  }
  assertEquals(statusesOfForm(form), { success: "good", error: "bad", paused: "unknown" });
});

Deno.test("statusesToStore: Docket's own meanings are null, unless neutral ones are listed too", () => {
  const own = defaultStatusDictionary();
  const partial = { ...own, partial: "unknown" } as const;
  assertEquals([statusesToStore(own), statusesToStore(partial)], [null, partial]);
  assertEquals(statusesToStore({ success: "good" }), { success: "good" });
});

Deno.test("haveSameMeanings: a neutral status that is listed is not one that nobody knows", () => {
  const own = defaultStatusDictionary();
  const partial = { ...own, partial: "unknown" } as const;
  assertEquals(
    haveSameMeanings(["SUCCESS", "failure", "other", null, undefined], own, partial),
    true,
  );
  assertEquals(haveSameMeanings(["Partial"], own, partial), false);
});

Deno.test("writeStatusDictionary: any name is read back, and what does not fit is known", () => {
  const odd = { "a.b:c": "good", "✓ done, fully": "bad", "%41": "unknown" } as const;
  assertEquals(readStatusDictionary(writeStatusDictionary(odd)), odd);
  assert(fitsCookie(odd));
  // An entry is the name, an equals sign and the meaning; 1,200 characters fit.
  const longest = "x".repeat(1200 - "=good".length);
  assertEquals(fitsCookie({ [longest]: "good" }), true);
  assertEquals(fitsCookie({ [`${longest}x`]: "good" }), false);
  // With an entry before it, an ampersand comes on top.
  const rest = longest.slice("ab=bad&".length);
  assertEquals(fitsCookie({ ab: "bad", [rest]: "good" }), true);
  assertEquals(fitsCookie({ ab: "bad", [`${rest}x`]: "good" }), false);
});
