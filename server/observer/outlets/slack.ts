/** Slack: an incoming webhook, with a plain text and blocks. */
import { summaryOf, titleOf } from "../words.ts";
import { listed, type Message, pageOfAll } from "./outlet.ts";

/** The most characters of a message: Slack takes some 13,000 in all. */
const MOST_CHARACTERS = 400;

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
  return text.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll("&", "&amp;").replaceAll(
    "<",
    "&lt;",
  )
    .replaceAll(">", "&gt;");
}
