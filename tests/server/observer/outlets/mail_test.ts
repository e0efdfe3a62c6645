import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { mailOutlet } from "../../../../server/observer/outlets/mail.ts";
import { type Message, OutletError } from "../../../../server/observer/outlets/outlet.ts";
import { event } from "../events.ts";
import { withMailServer } from "../mail_server.ts";

const FROM = "docket@example.com";
const MESSAGE = { id: "msg_1", event: event() };

function send(
  smtpUrl: string,
  { to = ["a@example.com"], messages = [MESSAGE], timeoutMs }: {
    readonly to?: readonly string[];
    readonly messages?: readonly Message[];
    readonly timeoutMs?: number;
  } = {},
): Promise<string | void> {
  return mailOutlet({ smtpUrl, from: FROM, to }, timeoutMs).send(messages, 0);
}

Deno.test("mailOutlet: changes come as text and HTML, and who is refused is reported by numbers", () =>
  withMailServer(async (smtpUrl, received) => {
    const to = ["a@example.com", "gone@example.com", "b@example.com"];
    const refused = "The mail server refused 1 of 3 recipients";
    const resolved = event("incident.resolved", { id: "2", resolved: "2026-03-10T06:30:00.000Z" });
    assertEquals(await send(smtpUrl, { to }), refused);
    await send(smtpUrl, { messages: [{ ...MESSAGE, event: resolved }, MESSAGE] });
    assertEquals([received[0].from, received[0].to], [FROM, ["a@example.com", "b@example.com"]]);
    const [single, digest] = received.map(({ source }) => source.replace(/=\r\n/g, ""));
    assertMatch(single, /^Subject: \[Docket\] Schedule 101/m);
    assertMatch(digest, /^Subject: \[Docket\] 2 changes of incidents, such as Schedule 101/m);
    assertMatch(digest, /^Message-ID: <msg_1@example.com>/m);
    // No program replies, and one incident is one thread.
    assertMatch(single, /^References: <101-failing-1@example.com>\r$/m);
    assertMatch(single, /^Auto-Submitted: auto-generated\r$/m);
    const [, text, html] = digest.split(/^Content-Type: text\/(?:plain|html)/m);
    assertMatch(text, /Resolved: Schedule 101 \(Sales <b>\): failing for 2 runs/);
    assertMatch(html, /Sales &lt;b&gt;.*href=3D"[^"]+failing-1">Open the incident<\/a>/s);
    assertEquals(html.includes("<b>"), false);
    const nobody = () => send(smtpUrl, { to: to.slice(1, 2) });
    const { message }: OutletError = await assertRejects(nobody, OutletError);
    assertEquals(message, "The mail server answered with 550");
  }, { refuses: (address) => address === "gone@example.com" }));

Deno.test("mailOutlet: a password is sent only with trusted TLS, unless the URL says tls=off", async () => {
  const noTls = /offers no TLS, so the password was not sent/;
  // It reaches this machine, but is not one of the loopback's names.
  const [login, other] = ["user:secret@", "0.0.0.0"];
  /** Whether the server offers TLS, whom the URL names and where, and why it fails. */
  const rows = [
    [false, `${login}${other}`, "", noTls],
    [false, other, "", null],
    [false, `${login}127.0.0.1`, "", null],
    [false, `${login}${other}`, "?tls=off", null],
    [true, `${login}${other}`, "", /^The mail server could not be reached: certificate/],
    [true, `${login}${other}`, "?tls=off", null],
  ] as const;
  for (const [startTls, host, search, words] of rows) {
    const users: string[] = [];
    await withMailServer(async (smtpUrl, received) => {
      const url = `${smtpUrl.replace("127.0.0.1", host)}/${search}`;
      const failure = await send(url).then(() => null, (error: OutletError) => error.message);
      if (words) assertMatch(failure ?? "", words);
      const signedIn = words || !host.includes("@") ? [] : ["user"];
      assertEquals([users, received.length], [signedIn, words ? 0 : 1], `${host} ${search}`);
    }, { startTls, users });
  }
});

Deno.test("mailOutlet: a server without TLS, a slow one and an absent one are reported", async () => {
  /** Sends to a server that greets, and for ten seconds goes on with words that have no end. */
  const sendTo = async (scheme: string, timeoutMs?: number) => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const speak = async () => {
      using connection = await listener.accept();
      let words = "220 mail.example.com\r\n";
      for (let at = 0; at < 500; at++) {
        await connection.write(new TextEncoder().encode(words));
        await new Promise((done) => setTimeout(done, 20));
        words = "250-and\r\n";
      }
    };
    const spoken = speak().catch(() => {});
    const url = `${scheme}://127.0.0.1:${listener.addr.port}`;
    return await send(url, { timeoutMs }).finally(() => spoken);
  };
  const failures = [
    [sendTo("smtps"), "no TLS at this port: write smtp://"],
    [sendTo("smtp", 200), "The mail server did not answer in time"],
    [send("smtp://127.0.0.1:1"), "could not be reached: connection refused"],
  ] as const;
  await Promise.all(
    failures.map(([sending, words]) => assertRejects(() => sending, OutletError, words)),
  );
});
