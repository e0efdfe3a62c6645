/** A wire to PostgreSQL that can break, or go silent, as a network does that drops everything. */

/** Lays a wire to the server of a database's URL. */
export function layWire(url: string) {
  const { hostname, port } = new URL(url);
  let listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port: ownPort } = listener.addr;
  const connections = new Set<Deno.Conn>();
  const pumps = new Set<Promise<void>>();
  let isSilent = false;

  async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const bytes = new Uint8Array(65_536);
    try {
      for (let count; (count = await from.read(bytes)) !== null;) {
        for (let sent = 0; sent < count && !isSilent;) {
          sent += await to.write(bytes.subarray(sent, count));
        }
      }
    } catch {
      // The connection was cut.
    }
    for (const end of [from, to]) close(end);
  }

  function close(connection: Deno.Conn): void {
    if (connections.delete(connection)) connection.close();
  }

  async function accept(): Promise<void> {
    for await (const client of listener) {
      const server = await Deno.connect({ hostname, port: Number(port) });
      for (const end of [client, server]) connections.add(end);
      for (const [from, to] of [[client, server], [server, client]]) pumps.add(pump(from, to));
    }
  }

  let accepting: Promise<void> | null = accept();

  /** Cuts all connections, and from now on refuses new ones, as while the server is away. */
  async function cut(): Promise<void> {
    if (accepting) listener.close();
    await accepting;
    accepting = null;
    for (const connection of connections) close(connection);
    await Promise.all(pumps);
  }

  return {
    /** The database's URL by way of this wire. */
    url: Object.assign(new URL(url), { port: ownPort }).href,
    /** From now on nothing gets through, while every connection stays open. */
    silence: () => void (isSilent = true),
    cut,
    /** From now on new connections get through; those that went silent are cut. */
    mend(): void {
      for (const connection of connections) close(connection);
      isSilent = false;
      if (accepting) return;
      listener = Deno.listen({ hostname: "127.0.0.1", port: ownPort });
      accepting = accept();
    },
    [Symbol.asyncDispose]: cut,
  };
}
