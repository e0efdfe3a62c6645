import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { mailOf, mailOutlet, portOf } from "../../../../server/observer/outlets/mail.ts";
import { OutletError } from "../../../../server/observer/outlets/outlet.ts";
import { event } from "../events.ts";
import { withMailServer } from "../mail_server.ts";

const FROM = "docket@example.com";
const NOW = 0;

Deno.test("mailOutlet: a mail server takes plain text and HTML", () =>
  withMailServer(async (smtpUrl, received) => {
    const to = ["a@example.com", "b@example.com"];
    const outlet = mailOutlet({ smtpUrl, from: FROM, to });
    assertEquals(outlet.name, "mail");
    await outlet.send([{ id: "msg_1", event: event() }], NOW);
    const [mail] = received;
    assertEquals([mail.from, mail.to], [FROM, to]);
    assert(/^Message-ID: <msg_1@example.com>/m.test(mail.source));
    assert(/^Content-Type: text\/plain/m.test(mail.source));
    assert(/^Content-Type: text\/html/m.test(mail.source));
    assert(/^Subject: \[Docket\] Schedule 101/m.test(mail.source));
  }));

Deno.test("mailOutlet: what the server refuses is reported by its number alone", () =>
  withMailServer(async (smtpUrl) => {
    const outlet = mailOutlet({ smtpUrl, from: FROM, to: ["a@example.com"] });
    const send = () => outlet.send([{ id: "msg_1", event: event() }], NOW);
    const error: OutletError = await assertRejects(send, OutletError);
    assertEquals(error.message, "The mail server answered with 550");
  }, () => true));

Deno.test("mailOutlet: a recipient whom the server refuses is reported, and the others get the mail", () =>
  withMailServer(async (smtpUrl, received) => {
    const to = ["a@example.com", "gone@example.com", "b@example.com"];
    const outlet = mailOutlet({ smtpUrl, from: FROM, to });
    const unreached = await outlet.send([{ id: "msg_1", event: event() }], NOW);
    assertEquals(unreached, "The mail server refused 1 of 3 recipients");
    assertEquals(received.map((mail) => mail.to), [["a@example.com", "b@example.com"]]);
  }, (address) => address === "gone@example.com"));

/** Sends with a user and a password to another host than the loopback one; returns why it failed. */
async function failureWith(smtpUrl: string, change: (url: URL) => void): Promise<string | null> {
  // "0.0.0.0" reaches this machine, but is not one of the loopback's names.
  const url = new URL(smtpUrl.replace("//127.0.0.1", "//user:secret@0.0.0.0"));
  change(url);
  const outlet = mailOutlet({ smtpUrl: url.href, from: FROM, to: ["a@example.com"] });
  const sent = outlet.send([{ id: "msg_1", event: event() }], NOW);
  return await sent.then(() => null, (error: OutletError) => error.message);
}

Deno.test("mailOutlet: a password is sent only with TLS, unless the URL says tls=off", async () => {
  const users: string[] = [];
  await withMailServer(
    async (smtpUrl, received) => {
      const failure = await failureWith(smtpUrl, () => {});
      assertStringIncludes(failure ?? "", "offers no TLS, so the password was not sent");
      assertEquals([users, received.length], [[], 0]);
      assertEquals(await failureWith(smtpUrl, (url) => url.password = url.username = ""), null);
      assertEquals(await failureWith(smtpUrl, (url) => url.hostname = "127.0.0.1"), null);
      assertEquals(await failureWith(smtpUrl, (url) => url.search = "?tls=off"), null);
      assertEquals([users, received.length], [["user", "user"], 3]);
    },
    () => false,
    { users },
  );
});

Deno.test("mailOutlet: a certificate that nobody trusts gets no password", async () => {
  const users: string[] = [];
  await withMailServer(
    async (smtpUrl, received) => {
      const failure = await failureWith(smtpUrl, () => {});
      assertMatch(failure ?? "", /^The mail server could not be reached: certificate/);
      assertEquals([users, received], [[], []]);
      assertEquals(await failureWith(smtpUrl, (url) => url.search = "?tls=off"), null);
    },
    () => false,
    { startTls: true, users },
  );
});

Deno.test("mailOutlet: smtps:// at a port without TLS says what to write", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const greeting = (async () => {
    using connection = await listener.accept();
    await connection.write(new TextEncoder().encode("220 mail.example.com\r\n"));
    await connection.read(new Uint8Array(1024));
  })();
  const smtpUrl = `smtps://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
  const outlet = mailOutlet({ smtpUrl, from: FROM, to: ["a@example.com"] });
  const send = () => outlet.send([{ id: "msg_1", event: event() }], NOW);
  await assertRejects(send, OutletError, "no TLS at this port: write smtp://");
  await greeting;
  listener.close();
});

Deno.test("mailOutlet: a server that answers byte by byte is given up", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const serving = (async () => {
    using connection = await listener.accept();
    try {
      for (;;) {
        await connection.write(new TextEncoder().encode("2"));
        await new Promise((done) => setTimeout(done, 20));
      }
    } catch {
      // The outlet has closed the connection.
    }
  })();
  const settings = { smtpUrl: `smtp://127.0.0.1:${port}`, from: FROM, to: ["a@example.com"] };
  const send = () => mailOutlet(settings, 200).send([{ id: "msg_1", event: event() }], NOW);
  await assertRejects(send, OutletError, "The mail server did not answer in time");
  await serving;
  listener.close();
});

Deno.test("mailOutlet: a server that is away is reported", async () => {
  const outlet = mailOutlet({ smtpUrl: "smtp://127.0.0.1:1", from: FROM, to: ["a@example.com"] });
  const send = () => outlet.send([{ id: "msg_1", event: event() }], NOW);
  await assertRejects(send, OutletError, "could not be reached: connection refused");
});

Deno.test("portOf: without a port, the usual one of the protocol", () => {
  const urls = [
    "smtp://mail.example.com",
    "smtps://mail.example.com",
    "smtps://mail.example.com:26",
  ];
  assertEquals(urls.map((url) => portOf(new URL(url))), [587, 465, 26]);
});

Deno.test("mailOf: many changes come as one digest, and names are text", () => {
  const resolved = event("incident.resolved", { id: "2", resolved: "2026-03-10T06:30:00.000Z" });
  const messages = [{ id: "msg_1", event: event() }, { id: "msg_2", event: resolved }];
  const { subject, text, html, messageId } = mailOf(messages, FROM);
  assertEquals([subject, messageId], ["[Docket] 2 changes of incidents", "<msg_1@example.com>"]);
  assert(text.includes("Resolved: Schedule 101 (Sales <b>): failing for 2 runs"));
  assert(html.includes("Sales &lt;b&gt;") && !html.includes("<b>"));
});
