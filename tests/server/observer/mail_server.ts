/** A mail server for tests, on a real port. */
import { SMTPServer } from "smtp-server";

/** A mail that was received. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

/** Runs a test with a mail server. */
export async function withMailServer(
  test: (url: string, received: ReceivedMail[]) => Promise<void>,
  { refuses = () => false, startTls = false, users = [] }: {
    readonly refuses?: (address: string) => boolean;
    readonly startTls?: boolean;
    /** Takes the users that sign in. */
    readonly users?: string[];
  } = {},
): Promise<void> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    // deno-lint-ignore no-explicit-any
    onAuth({ username }: any, _session: any, done: any) {
      users.push(username);
      done(null, { user: username });
    },
    disabledCommands: startTls ? [] : ["STARTTLS"],
    // deno-lint-ignore no-explicit-any
    onRcptTo({ address }: any, _session: any, done: any) {
      done(
        refuses(address)
          ? Object.assign(new Error("No user secret@example.com"), { responseCode: 550 })
          : undefined,
      );
    },
    // deno-lint-ignore no-explicit-any
    async onData(stream: any, { envelope }: any, done: any) {
      let source = "";
      for await (const chunk of stream) source += new TextDecoder().decode(chunk);
      received.push({
        from: envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }: { address: string }) => address),
        source,
      });
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
