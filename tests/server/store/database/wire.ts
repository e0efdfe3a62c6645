/** A wire to PostgreSQL that can go silent, as a network does that drops everything. */

/** A wire between a client and a server. */
export interface Wire extends AsyncDisposable {
  /** The database's URL by way of this wire. */
  readonly url: string;
  /** From now on nothing gets through, while every connection stays open. */
  silence(): void;
  /** From now on new connections get through; those that went silent are cut. */
  mend(): void;
}

/** Lays a wire to the server of a database's URL. */
export function layWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
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
    for (const end of [from, to]) cut(end);
  }

  function cut(connection: Deno.Conn): void {
    if (connections.delete(connection)) connection.close();
  }

  async function accept(): Promise<void> {
    for await (const client of listener) {
      const server = await Deno.connect({ hostname, port: Number(port) });
      for (const end of [client, server]) connections.add(end);
      for (const [from, to] of [[client, server], [server, client]]) pumps.add(pump(from, to));
    }
  }

  const accepting = accept();
  return {
    url: Object.assign(new URL(url), { port: listener.addr.port }).href,
    silence: () => {
      isSilent = true;
    },
    mend() {
      for (const connection of connections) cut(connection);
      isSilent = false;
    },
    /** Cuts everything. */
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const connection of connections) cut(connection);
      await Promise.all(pumps);
    },
  };
}
