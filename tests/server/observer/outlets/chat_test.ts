/** What Slack and Teams are sent, within what their documentation says of messages. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Message } from "../../../../server/observer/outlets/outlet.ts";
import { slackBody, teamsBody } from "../../../../server/observer/outlets/chat.ts";
import { event } from "../events.ts";

function message(name = "Sales", more: Partial<Message> = {}): Message {
  const { data, ...rest } = event();
  const about = { schedule: { id: 101, name }, people: 14, lastSent: "2026-03-09T06:00:00.000Z" };
  return { id: "msg_1", event: { ...rest, data: { ...data, ...about } }, ...more };
}

const SENTENCE = "Schedule 101 (Sales): failing for 2 runs, since Tue 10 Mar 06:00 UTC; " +
  "14 people wait for the report, last sent Mon 9 Mar 06:00 UTC";
const STEP = "Find out why the latest run failed, and run the report again.";
const URL = "https://docket.example.com/incidents/101-failing-1";

Deno.test("slackBody, teamsBody: what happened, what to do, a link, and no markup of others", () => {
  const text = `${SENTENCE}\n${STEP}\n<${URL}|Open the incident>`;
  assertEquals(slackBody([message()]), {
    text: SENTENCE,
    blocks: [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }],
  });
  const crafted = JSON.stringify(slackBody([message("<!channel> & <https://evil.example|x>")]));
  assertEquals(crafted.match(/<[^|>]+/g), [`<${URL}`]);
  const plain = (text: string) => {
    return { type: "RichTextBlock", inlines: [{ type: "TextRun", text }] };
  };
  const selectAction = { type: "Action.OpenUrl", title: "Open the incident", url: URL };
  const { type, attachments: [{ contentType, content }] } = teamsBody([message("[x](y)")]);
  assertEquals([type, contentType, content.type, content.version, content.actions], [
    ...["message", "application/vnd.microsoft.card.adaptive", "AdaptiveCard", "1.4"],
    [selectAction],
  ]);
  const items = [plain(SENTENCE.replace("Sales", "[x](y)")), plain(STEP)];
  assertEquals(content.body, [{ type: "Container", separator: false, selectAction, items }]);
});

Deno.test("slackBody, teamsBody: the most that is sent at once, with the longest names, is accepted", () => {
  const many = Array.from({ length: 100 }, () => message("🐘<".repeat(2000), { isHeld: true }));
  const { text, blocks } = slackBody(many);
  assertMatch(text, /^100 changes of incidents during quiet hours, such as Schedule 101.*…$/);
  const all = "<https://docket.example.com/incidents|all incidents>";
  assertEquals([blocks.length, blocks.at(-1)!.text.text], [22, `and 80 more: ${all}`]);
  assert(blocks.every(({ text }) => text.text.length <= 3000));
  assertEquals(slackBody(many.slice(0, 2)).blocks.length, 3);
  // Letters of three bytes.
  const card = JSON.stringify(teamsBody(Array(100).fill(message("報".repeat(2000)))));
  assertMatch(card, /"weight":"bolder".*and 80 more.*"Open all incidents"/s);
  assert(new TextEncoder().encode(card).length < 28 * 1024);
});
