/** Slack and Microsoft Teams: webhooks that take messages in blocks. */
import { summaryOf, titleOf } from "../words.ts";
import { listed, type Message, pageOfAll } from "./outlet.ts";

/** The most characters of a message: Slack takes some 13,000 in all. */
const MAX_FOR_SLACK = 400;

/** What Slack is sent. Its plain text is what notifications show. */
export function slackBody(messages: readonly Message[]) {
  const { shown, others } = listed(messages);
  const title = escape(titleOf(messages));
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
  const link = (url: string, words: string) => `<${encodeURI(decodeURI(url))}|${words}>`;
  return {
    text: title,
    blocks: [
      ...messages.length > 1 ? [section(`*${title}*`)] : [],
      ...shown.map(({ event }) =>
        section(`${escape(summaryOf(event))}\n${link(event.data.url, "Open the incident")}`)
      ),
      ...others > 0
        ? [section(`and ${others} more: ${link(pageOfAll(messages), "all incidents")}`)]
        : [],
    ],
  };
}

/** A text without Slack's markup, in which `<!channel>` would notify everybody. */
function escape(text: string): string {
  return text.slice(0, MAX_FOR_SLACK).toWellFormed()
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The most characters of a message: Teams takes at most 28 KB in all. */
const MAX_FOR_TEAMS = 500;

/** What Teams is sent: an Adaptive Card, which a Workflows webhook posts. */
export function teamsBody(messages: readonly Message[]) {
  const { shown, others } = listed(messages);
  const isOne = messages.length === 1;
  const url = isOne ? messages[0].event.data.url : pageOfAll(messages);
  const openUrl = (title: string, url: string) => ({ type: "Action.OpenUrl", title, url });
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      ...isOne ? [] : [text(titleOf(messages), { weight: "bolder" })],
      ...shown.map(({ event }) => ({
        type: "Container",
        separator: !isOne,
        selectAction: openUrl("Open the incident", event.data.url),
        items: [text(summaryOf(event))],
      })),
      ...others > 0 ? [text(`and ${others} more`)] : [],
    ],
    actions: [openUrl(isOne ? "Open the incident" : "Open all incidents", url)],
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

/** A text without Markdown, which a TextBlock would interpret: anybody may have put it into names. */
function text(words: string, style: { readonly weight?: "bolder" } = {}) {
  const run = { type: "TextRun", text: words.slice(0, MAX_FOR_TEAMS).toWellFormed(), ...style };
  return { type: "RichTextBlock", inlines: [run] };
}
