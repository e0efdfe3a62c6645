import { assert, assertEquals, assertMatch } from "@std/assert";
import { eventually } from "../eventually.ts";
import { withProgram } from "../program.ts";

const OPEN_FILES = 120;
/** None that a system gives to others' connections, which could take it before it listens again. */
const PORT = `${20_000 + Math.floor(Math.random() * 12_000)}`;

/** Connects until it is refused, or twice as often as the program has files. Half begin a request. */
async function connectAll(hostname: string, port: number): Promise<Deno.Conn[]> {
  const unfinished = new TextEncoder().encode(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Never: ",
  );
  const connections: Deno.Conn[] = [];
  try {
    while (connections.length < 2 * OPEN_FILES) {
      connections.push(await Deno.connect({ hostname, port }));
      if (connections.length % 2 === 0) await connections.at(-1)!.write(unfinished);
    }
  } catch {
    // Refused or reset.
  }
  return connections;
}

Deno.test("[e2e] the program: outlives more connections than it may have files, and answers again", () =>
  withProgram({ LOG_FORMAT: "text", PORT }, async ({ origin, printed }) => {
    const { hostname, port } = new URL(origin);
    for (const round of [1, 2]) {
      const connections = await connectAll(hostname, Number(port));
      try {
        // Nobody closes them but the program.
        await eventually(async () => {
          const response = await fetch(`${origin}/healthz`);
          await response.body?.cancel();
          assertEquals(response.status, 200);
        });
        assertMatch(printed(), /Can't accept connections; closing idle ones.*open files/);
      } finally {
        for (const connection of connections) connection.close();
      }
      assert(connections.length > OPEN_FILES / 4, `${round}: ${connections.length}`);
    }
  }, { openFiles: OPEN_FILES }));
