/** Slack: an incoming webhook, with a plain text and blocks. */
import { summaryOf, titleOf } from "../words.ts";
import { COLLECT_MS, listed, type Message, type Outlet, pageOfAll } from "./outlet.ts";
import { postJson, type Send } from "./post.ts";

/** The most characters of a message: Slack takes some 13,000 in all. */
const MOST_CHARACTERS = 400;

/** The incoming webhook at a URL, as an outlet with this name. */
export function slackOutlet(name: string, url: string, send?: Send): Outlet {
  return {
    name,
    mostAtOnce: 100,
    collectMs: COLLECT_MS.slack,
    groupOf: () => "slack",
    send: (messages) => postJson(url, slackBody(messages), send),
  };
}

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
