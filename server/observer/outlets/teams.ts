/** Microsoft Teams: a Workflows webhook, which posts an Adaptive Card. */
import { summaryOf, titleOf } from "../words.ts";
import { listed, type Message, pageOfAll } from "./outlet.ts";

/** The most characters of a message: Teams takes at most 28 KB in all. */
const MOST_CHARACTERS = 500;

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
  const run = { type: "TextRun", text: words.slice(0, MOST_CHARACTERS).toWellFormed(), ...style };
  return { type: "RichTextBlock", inlines: [run] };
}
