/** Mail: one for each change of an incident, or a digest where many change at once. */
import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import type { MailSettings } from "../../config/observer_settings.ts";
import { evidenceLines, summaryOf } from "../words.ts";
import { type Message, type Outlet, OutletError } from "./outlet.ts";
import { RECEIVER_MS } from "./post.ts";

/** How long changes are collected, so that those of one round come in one mail. */
const COLLECT_MS = 5000;

/** A mail as it is handed to the server. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
}

/** Mail by that server. */
export function mailOutlet({ smtpUrl, from, to }: MailSettings): Outlet {
  return {
    name: "mail",
    mostAtOnce: 100,
    collectMs: COLLECT_MS,
    groupOf: () => "mail",
    async send(messages) {
      const transport = createTransport({
        url: smtpUrl,
        getSocket: (_, done) => connectByName(URL.parse(smtpUrl)!, done),
        // Else the name of the machine is looked up, for which Docket has no permission.
        name: "docket",
        connectionTimeout: RECEIVER_MS,
        greetingTimeout: RECEIVER_MS,
        socketTimeout: RECEIVER_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({ from, to: [...to], ...mailOf(messages, from) });
      } catch (error) {
        throw new OutletError(reasonOf(error));
      } finally {
        transport.close();
      }
    },
  };
}

/**
 * Connects by the server's name. Left to itself, the library looks the name up and connects to the
 * address, for which Docket has no permission.
 */
function connectByName(
  { protocol, hostname, port }: URL,
  done: (error: Error | null, socket?: { readonly connection: Socket }) => void,
): void {
  const connection = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "smtps:" ? 465 : 587),
    timeout: RECEIVER_MS,
  });
  connection.once("timeout", () => connection.destroy(new Error("Connection timeout")));
  connection.once("error", done);
  connection.once("connect", () => {
    connection.removeListener("error", done);
    connection.setTimeout(0);
    done(null, { connection });
  });
}

/** What the mail says. Its id is that of the first message, at each attempt. */
export function mailOf(messages: readonly Message[], from: string): Mail {
  const events = messages.map(({ event }) => event);
  const messageId = `<${messages[0].id}@${from.split("@").at(-1)}>`;
  const summaries = events.map(summaryOf);
  const subject = events.length === 1 ? summaries[0] : `${events.length} changes of incidents`;
  const sections = events.map((event, at) => ({
    summary: summaries[at],
    lines: evidenceLines(event),
    url: event.data.url,
  }));
  return {
    // Names of schedules are anybody's text.
    subject: `[Docket] ${subject.replace(/\s+/g, " ")}`,
    text: sections.map(({ summary, lines, url }) => [summary, ...lines, url].join("\n"))
      .join("\n\n") + "\n",
    html: sections.map(({ summary, lines, url }) =>
      `<h2>${escaped(summary)}</h2>\n` +
      `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>\n` +
      `<p><a href="${escaped(url)}">${escaped(url)}</a></p>\n`
    ).join("\n"),
    messageId,
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** Why it failed, by the library's code and the server's: their words may repeat addresses. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode === "number") return `The mail server answered with ${responseCode}`;
  if (code === "ETIMEDOUT") return "The mail server did not answer in time";
  if (code === "EAUTH") return "The mail server rejected the user or the password";
  return "The mail server could not be reached";
}
