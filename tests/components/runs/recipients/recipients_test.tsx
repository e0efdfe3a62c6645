import { assertEquals, assertMatch } from "@std/assert";
import {
  flaggedFirst,
  matchesFilter,
  readRecipientFilter,
  RecipientFilterForm,
} from "../../../../components/runs/recipients/recipient_filter.tsx";
import { recipientName } from "../../../../components/runs/recipients/recipient_choices.ts";
import { RecipientTimeline } from "../../../../components/runs/recipients/recipient_timeline.tsx";
import { recipientHistories, recipientTimeline } from "../../../../lib/runs/recipients.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { Recipient } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textsOf } from "../../rendered.ts";

const person = (userId: number, displayName: string, domain = "example.com"): Recipient => ({
  userId,
  displayName,
  emailAddress: `${displayName.toLowerCase()}@${domain}`,
});
const [ann, ben, eve] = [person(1, "Ann"), person(2, "Ben"), person(3, "Eve", "other.example")];

function runOn(day: number, recipients: readonly Recipient[]) {
  return { id: day, startTime: `2026-01-${String(day).padStart(2, "0")}T06:00:00Z`, recipients };
}

Deno.test("RecipientTimeline: who came and who went, each with its run, the newest first", () => {
  const changes = recipientTimeline([
    runOn(1, [ann]),
    runOn(2, [ann]),
    runOn(3, [ann, ben, eve]),
    runOn(4, [ben, eve]),
  ]);
  const html = htmlOf(
    <RecipientTimeline
      changes={changes}
      scheduleId={7}
      addressesShown={false}
      isNew={({ userId }) => userId === 3}
    />,
  );
  assertEquals(textsOf(html, "li"), [
    "2026-01-04 06:00− 1: Ann",
    "2026-01-03 06:00+ 2: ⚠ Eve (new external), Ben",
  ]);
  assertEquals(linksOf(html), {
    "2026-01-04 06:00": "/schedules/7/runs/4",
    "2026-01-03 06:00": "/schedules/7/runs/3",
  });
  assertMatch(html, /<strong class="status bad">⚠ Eve/);
});

Deno.test("RecipientTimeline: many names and many changes are cut, and it says so", () => {
  const many = Array.from({ length: 11 }, (_, id) => person(id, `P${id}`));
  const timeline = (changes: ReturnType<typeof recipientTimeline>) =>
    htmlOf(
      <RecipientTimeline changes={changes} scheduleId={7} addressesShown isNew={() => false} />,
    );
  assertEquals(
    textsOf(timeline(recipientTimeline([runOn(1, [ann]), runOn(2, [ann, ...many])])), "li"),
    [
      "2026-01-02 06:00+ 11: P0, P1, P2, P3, P4, P5, P6, P7 and 3 more",
    ],
  );
  const changes = Array.from({ length: 51 }, (_, id) => ({
    run: { id, startTime: null },
    came: [ann],
    went: [],
  }));
  const html = timeline(changes);
  assertEquals(textsOf(html, "li").length, 50);
  assertEquals(textsOf(html, "p"), ["1 earlier change not shown."]);
  assertEquals(textsOf(timeline([]), "p"), ["Nobody came or went in these runs."]);
});

Deno.test("recipientName: the name, else the masked address, else the user id", () => {
  assertEquals(recipientName(ann, false), "Ann");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, true), "ann@example.com");
  assertEquals(recipientName({ displayName: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ userId: 7 }, false), "user 7");
  assertEquals(recipientName({}, false), "somebody");
});

Deno.test("readRecipientFilter and matchesFilter: by a part of the name and by domain", () => {
  const filter = (query: string) => readRecipientFilter(new URLSearchParams(query));
  assertEquals(filter("name=+AN+&domain=Example.com"), { name: "AN", domain: "example.com" });
  assertEquals(filter(""), { name: "", domain: "" });
  const matches = (query: string) =>
    [ann, ben, eve].filter((one) => matchesFilter(one, [one.emailAddress], filter(query)))
      .map(({ displayName }) => displayName);
  assertEquals(matches(""), ["Ann", "Ben", "Eve"]);
  assertEquals(matches("name=EN"), ["Ben"]);
  assertEquals(matches("domain=other.example"), ["Eve"]);
  assertEquals(matches("name=e&domain=example.com"), ["Ben"]);
  assertEquals(matches("domain=example"), []);
});

Deno.test("flaggedFirst: who needs a look is first, the rest stays in order", () => {
  const histories = recipientHistories([runOn(1, [ann, ben, eve])], defaultStatusDictionary());
  assertEquals(
    flaggedFirst(histories, new Map([["user 3", "external"]])).map(({ key }) => key),
    ["user 3", "user 1", "user 2"],
  );
});

Deno.test("RecipientFilterForm: domains with their counts, and what was asked for stays", () => {
  const form = (filter: { name: string; domain: string }, addressesShown = false) =>
    htmlOf(
      <RecipientFilterForm
        scheduleId={7}
        filter={filter}
        domains={[{ domain: "example.com", recipients: 1200 }]}
        addressesShown={addressesShown}
      />,
    );
  assertEquals(textsOf(form({ name: "", domain: "" }), "option"), ["any", "example.com (1,200)"]);
  assertEquals(linksOf(form({ name: "", domain: "" })), {});
  const html = form({ name: 'a"b', domain: "gone.example" }, true);
  assertEquals(textsOf(html, "option"), ["any", "gone.example (0)", "example.com (1,200)"]);
  assertMatch(html, /<option value="gone.example" selected/);
  assertMatch(html, /value="a&quot;b"/);
  assertMatch(html, /type="hidden" name="addresses" value="shown"/);
  assertEquals(linksOf(html), { Clear: "/schedules/7/recipients?addresses=shown" });
});
