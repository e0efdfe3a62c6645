/** Slack and Microsoft Teams: webhooks whose messages consist of blocks. */
import { shorten } from "../../../lib/format.ts";
import { linkWords, nextSteps, toSummary, toTitle } from "../words.ts";
import { type Message, pageOfAll, splitList } from "./outlet.ts";

/** The most characters of one incident: Slack accepts some 13,000 in all. */
const MAX_FOR_SLACK = 400;

/** The body for Slack; notifications show its `text`. */
export function slackBody(messages: readonly Message[]) {
  const { listed, others } = splitList(messages);
  const title = escapeForSlack(toTitle(messages));
  // Verbatim, Slack makes no link of an address or a channel's name, and notifies nobody.
  const section = (text: string) => (
    { type: "section", text: { type: "mrkdwn", text, verbatim: true } }
  );
  const link = (url: string, words: string) => `<${url}|${words}>`;
  return {
    text: title,
    blocks: [
      ...messages.length > 1 ? [section(`*${title}*`)] : [],
      ...listed.map(({ event }) => {
        const open = link(event.data.url, linkWords(event));
        return section([escapeForSlack(toSummary(event)), ...nextSteps(event), open].join("\n"));
      }),
      ...others > 0
        ? [section(`and ${others} more: ${link(pageOfAll(messages), "all incidents")}`)]
        : [],
    ],
  };
}

/** A text without Slack's markup, in which `<!channel>` would notify everybody. */
function escapeForSlack(text: string): string {
  return shorten(text, MAX_FOR_SLACK)
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The most characters of one incident: Teams accepts 28 KB in all. */
const MAX_FOR_TEAMS = 300;

/** The body for Teams: an Adaptive Card, which a Workflows webhook posts. */
export function teamsBody(messages: readonly Message[]) {
  const { listed, others } = splitList(messages);
  const isOne = messages.length === 1;
  const url = isOne ? messages[0].event.data.url : pageOfAll(messages);
  const openUrl = (title: string, url: string) => ({ type: "Action.OpenUrl", title, url });
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      ...isOne ? [] : [richTextBlock(toTitle(messages), { weight: "bolder" })],
      ...listed.map(({ event }) => ({
        type: "Container",
        separator: !isOne,
        selectAction: openUrl(linkWords(event), event.data.url),
        items: [toSummary(event), ...nextSteps(event)].map((each) => richTextBlock(each)),
      })),
      ...others > 0 ? [richTextBlock(`and ${others} more`)] : [],
    ],
    actions: [openUrl(isOne ? linkWords(messages[0].event) : "Open all incidents", url)],
  };
  return {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: card,
    }],
  };
}

/** A text that is not read as Markdown, unlike in a TextBlock: anybody may have written the names. */
function richTextBlock(words: string, style: { readonly weight?: "bolder" } = {}) {
  const run = { type: "TextRun", text: shorten(words, MAX_FOR_TEAMS), ...style };
  return { type: "RichTextBlock", inlines: [run] };
}
