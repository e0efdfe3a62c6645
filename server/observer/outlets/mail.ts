/** Sends an email for each change of an incident, or a digest if several change at once. */
import { connect, type Socket } from "node:net";
import { domainToASCII } from "node:url";
import { escape } from "@std/html/entities";
import { createTransport } from "nodemailer";
import { shorten } from "../../../lib/format.ts";
import { findKnownCause } from "../../../lib/client/transport/root_cause.ts";
import type { MailServer } from "../../config/observer_settings.ts";
import { isLoopback } from "../../http/host.ts";
import { incidentLines, linkWords, toSummary, toTitle } from "../words.ts";
import { LONGEST_SEND_MS, type Message, type Outlet, OutletError, RECEIVER_MS } from "./outlet.ts";

/** Mail servers refuse lines of a thousand characters, and programs show some 250. */
const MAX_SUBJECT = 250;

export function mailOutlet(
  { smtpUrl, from, to, name = "mail" }: MailServer & {
    readonly to: readonly string[];
    readonly name?: string;
  },
  timeoutMs: number = LONGEST_SEND_MS,
): Outlet {
  const url = new URL(smtpUrl);
  const isPlain = url.searchParams.get("tls") === "off";
  // It is Docket's own; nodemailer would read it as an option.
  url.searchParams.delete("tls");
  const hasPlainPassword = url.protocol === "smtp:" && url.password !== "" && !isPlain;
  return {
    name,
    async send(messages) {
      let socket: Socket | undefined;
      const transport = createTransport({
        url: url.href,
        // A password is not sent in clear to another machine, even if the server offers no TLS.
        requireTLS: hasPlainPassword && !isLoopback(url.hostname),
        ignoreTLS: isPlain,
        getSocket: (_, done) =>
          connectByName(url, (error, opened) => {
            socket = opened?.connection;
            done(error, opened);
          }),
        // Otherwise, the library looks up the machine's name, for which Docket has no permission.
        name: "docket",
        connectionTimeout: RECEIVER_MS,
        greetingTimeout: RECEIVER_MS,
        socketTimeout: RECEIVER_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      // The library's timeouts restart with each byte.
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject({ code: "ETIMEDOUT" }), timeoutMs);
      try {
        const mail = { from, to: [...to], ...toMail(messages, from) };
        const { rejected } = await Promise.race([transport.sendMail(mail), late]);
        if (rejected.length > 0) {
          return `The mail server refused ${rejected.length} of ${to.length} recipients`;
        }
      } catch (error) {
        throw new OutletError(failureText(error));
      } finally {
        clearTimeout(timer);
        transport.close();
        socket?.destroy();
      }
    },
  };
}

/** Connects by name. By default, the library resolves the name, for which Docket has no permission. */
function connectByName(
  url: URL,
  done: (error: Error | null, socket?: { readonly connection: Socket }) => void,
): void {
  const connection = connect({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port),
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

/** The email's content. Its id is that of the first message in each attempt. */
function toMail(messages: readonly Message[], from: string) {
  const sections = messages.map(({ event }) => ({
    summary: toSummary(event),
    lines: incidentLines(event),
    url: event.data.url,
    open: linkWords(event),
  }));
  const host = domainToASCII(from.split("@").at(-1)!);
  const [{ id, event: { data: { incident } } }] = messages;
  return {
    subject: shorten(`[Docket] ${toTitle(messages)}`, MAX_SUBJECT),
    text: sections.map(({ summary, lines, url, open }) =>
      [summary, ...lines, `${open}: ${url}`, ""].join("\n")
    ).join("\n"),
    html: sections.map(({ summary, lines, url, open }) =>
      `<h2>${escape(summary)}</h2>\n` +
      `<ul>${lines.map((line) => `<li>${escape(line)}</li>`).join("")}</ul>\n` +
      `<p><a href="${escape(url)}">${open}</a></p>\n`
    ).join("\n"),
    messageId: `<${id}@${host}>`,
    // Mail programs show all about one incident as one thread. The id ends with its time.
    ...messages.length === 1 && { references: `<${incident.id.slice(-100)}@${host}>` },
    // Otherwise, notes of absence would be sent in reply.
    headers: { "auto-submitted": "auto-generated" },
  };
}

/** Why sending failed. It does not quote the library or the server, which may include addresses. */
function failureText(error: unknown): string {
  const { code, command, responseCode } = error as Readonly<Record<string, unknown>>;
  if (code === "ETLS" && command === "STARTTLS") {
    return "The mail server offers no TLS, so the password was not sent: write smtps://, or add " +
      "?tls=off to SMTP_URL to send it in clear";
  }
  if (typeof responseCode === "number") return `The mail server answered with ${responseCode}`;
  if (code === "ETIMEDOUT") return "The mail server did not answer in time";
  if (code === "EAUTH") return "The mail server rejected the user or the password";
  const cause = findKnownCause(error).replace("http:", "smtp:");
  return `The mail server could not be reached${cause && `: ${cause}`}`;
}
