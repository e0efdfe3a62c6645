/** A mail server for tests, on a real port. */
// deno-lint-ignore-file no-explicit-any
import { SMTPServer } from "smtp-server";
import { text } from "node:stream/consumers";

/** A mail that was received. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

/** Runs a test with a mail server, which refuses some addresses and notes who signs in. */
export async function withMailServer(
  test: (url: string, received: ReceivedMail[]) => Promise<void>,
  { refuses = () => false, startTls = false, users = [] }: {
    readonly refuses?: (address: string) => boolean;
    readonly startTls?: boolean;
    readonly users?: string[];
  } = {},
): Promise<void> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username }: any, _session: any, done: any) {
      users.push(username);
      done(null, { user: username });
    },
    disabledCommands: startTls ? [] : ["STARTTLS"],
    onRcptTo({ address }: any, _session: any, done: any) {
      const refusal = new Error("No user secret@example.com");
      done(refuses(address) ? Object.assign(refusal, { responseCode: 550 }) : undefined);
    },
    async onData(stream: any, { envelope: { mailFrom, rcptTo } }: any, done: any) {
      const to = rcptTo.map(({ address }: { address: string }) => address);
      received.push({ from: mailFrom.address, to, source: await text(stream) });
      done();
    },
  });
  // A client that does not trust the certificate ends the connection.
  server.on("error", () => {});
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const { port } = server.server.address() as { port: number };
    await test(`smtp://127.0.0.1:${port}`, received);
  } finally {
    await new Promise<void>((done) => server.close(done));
  }
}
