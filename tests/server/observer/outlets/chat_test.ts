/** What Slack and Teams are sent, held against what their documentation says of messages. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Message } from "../../../../server/observer/outlets/outlet.ts";
import { slackBody, teamsBody } from "../../../../server/observer/outlets/chat.ts";
import { event } from "../events.ts";

/** At most 50 blocks, each with at most 3,000 characters. */
const SLACK = {
  type: "object",
  required: ["text", "blocks"],
  additionalProperties: false,
  properties: {
    text: { type: "string", minLength: 1, maxLength: 4000 },
    blocks: {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: {
        type: "object",
        required: ["type", "text"],
        additionalProperties: false,
        properties: {
          type: { const: "section" },
          text: {
            type: "object",
            required: ["type", "text"],
            additionalProperties: false,
            properties: {
              type: { const: "mrkdwn" },
              text: { type: "string", minLength: 1, maxLength: 3000 },
            },
          },
        },
      },
    },
  },
};

const OPEN_URL = {
  type: "object",
  required: ["type", "url"],
  additionalProperties: false,
  properties: {
    type: { const: "Action.OpenUrl" },
    title: { type: "string" },
    url: { type: "string", pattern: "^https://" },
  },
};
const RICH_TEXT = {
  type: "object",
  required: ["type", "inlines"],
  additionalProperties: false,
  properties: {
    type: { const: "RichTextBlock" },
    inlines: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "text"],
        additionalProperties: false,
        properties: {
          type: { const: "TextRun" },
          text: { type: "string", minLength: 1 },
          weight: { enum: ["default", "lighter", "bolder"] },
        },
      },
    },
  },
};
/** The parts of version 1.4 of Adaptive Cards that are used, in the message that Workflows take. */
const TEAMS = {
  type: "object",
  required: ["type", "attachments"],
  additionalProperties: false,
  properties: {
    type: { const: "message" },
    attachments: {
      type: "array",
      minItems: 1,
      maxItems: 1,
      items: {
        type: "object",
        required: ["contentType", "contentUrl", "content"],
        additionalProperties: false,
        properties: {
          contentType: { const: "application/vnd.microsoft.card.adaptive" },
          contentUrl: { type: "null" },
          content: {
            type: "object",
            required: ["type", "version", "body"],
            additionalProperties: false,
            properties: {
              $schema: { const: "http://adaptivecards.io/schemas/adaptive-card.json" },
              type: { const: "AdaptiveCard" },
              version: { const: "1.4" },
              body: {
                type: "array",
                minItems: 1,
                items: {
                  anyOf: [RICH_TEXT, {
                    type: "object",
                    required: ["type", "items"],
                    additionalProperties: false,
                    properties: {
                      type: { const: "Container" },
                      separator: { type: "boolean" },
                      selectAction: OPEN_URL,
                      items: { type: "array", minItems: 1, items: RICH_TEXT },
                    },
                  }],
                },
              },
              actions: { type: "array", items: OPEN_URL },
            },
          },
        },
      },
    },
  },
};

const ajv = new Ajv2020({ strict: false });
const isSlack = ajv.compile(SLACK);
const isTeams = ajv.compile(TEAMS);

function message(name = "Sales", more: Partial<Message> = {}): Message {
  const { data, ...rest } = event();
  const about = { schedule: { id: 101, name }, people: 14, lastSent: "2026-03-09T06:00:00.000Z" };
  return { id: "msg_1", event: { ...rest, data: { ...data, ...about } }, ...more };
}

const SENTENCE = "Schedule 101 (Sales): failing for 2 runs, since 2026-03-10 06:00 UTC; " +
  "14 people wait for the report, last sent 2026-03-09 06:00 UTC";
const STEP = "Find out why the latest run failed, and run the report again.";
const URL = "https://docket.example.com/incidents/101-failing-1";

Deno.test("slackBody: what happened, what to do, a link, and no markup", () => {
  const body = slackBody([message()]);
  assert(isSlack(body), JSON.stringify(isSlack.errors));
  assertEquals(body.text, SENTENCE);
  assertEquals(body.blocks.map(({ text }) => text.text), [
    `${SENTENCE}\n${STEP}\n<${URL}|Open the incident>`,
  ]);
  const crafted = JSON.stringify(slackBody([message("<!channel> & <https://evil.example|x>")]));
  assertEquals(crafted.match(/<[^|>]+/g), [`<${URL}`]);
});

Deno.test("teamsBody: what happened, what to do and a link, as plain text", () => {
  const body = teamsBody([message("[x](https://evil.example)")]);
  assert(isTeams(body), JSON.stringify(isTeams.errors));
  const [{ content: { body: [part], actions } }] = body.attachments;
  assertMatch(
    JSON.stringify(part),
    /"RichTextBlock".*"TextRun","text":"Schedule 101 \(\[x\].*Find out why/,
  );
  assertEquals(actions, [{ type: "Action.OpenUrl", title: "Open the incident", url: URL }]);
});

Deno.test("slackBody, teamsBody: the most that is sent at once, with the longest names, is accepted", () => {
  const many = Array.from({ length: 100 }, () => message("🐘<".repeat(2000), { isHeld: true }));
  const [slack, teams] = [slackBody(many), teamsBody(many)];
  assertEquals(slack.text, "100 changes of incidents during quiet hours");
  assertMatch(
    slack.blocks.at(-1)!.text.text,
    /^and 80 more: <https:.*\/incidents\|all incidents>$/,
  );
  assert(isSlack(slack), JSON.stringify(isSlack.errors));
  assert(isTeams(teams), JSON.stringify(isTeams.errors));
  assert(new TextEncoder().encode(JSON.stringify(teams)).length < 28 * 1024);
});
