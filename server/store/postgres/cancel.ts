/** Cancelling what a connection to PostgreSQL is doing. */
import { Buffer } from "node:buffer";
import { connect } from "node:net";
// @ts-types="@types/pg"
import type pg from "pg";

/** What PostgreSQL sent when the connection started; the driver's types lack it. */
interface ServerProcess {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** The code of a cancel request in PostgreSQL's protocol. */
const CANCEL = 80877102;
const TIMEOUT_MS = 5000;

/**
 * Asks PostgreSQL to cancel a connection's statement. The request uses a connection of its own and
 * is not answered. If it is lost, the statement ends at its deadline.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as ServerProcess;
  const request = Buffer.alloc(16);
  [request.length, CANCEL, processID, secretKey]
    .forEach((number, index) => request.writeInt32BE(number, index * 4));
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  socket.on("error", () => {});
  socket.end(request);
}
