import { assertEquals } from "@std/assert";
import { toCurl } from "../../../../lib/client/transport/request.ts";
import { setUp } from "../client_setup.ts";

/** What a shell passes to curl. */
async function argumentsIn(command: string, variables: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `curl() { printf '%s\\0' "$@"; }; ${variables}; ${command}`],
  }).output();
  return new TextDecoder().decode(stdout).split("\0");
}

Deno.test("toCurl: a shell reads back the very arguments; secret ones are variables", async () => {
  const headers = { Authorization: "Bearer x", "x-trace": "it's", "x-$key`": "y" };
  const { client } = setUp({}, { headers });
  const body = { filters: [{ field: "a'b\\", value: ["$(x) `y` !z\nnew line"] }] };
  const command = toCurl(client.fileSets.search(body).request());
  assertEquals(/Bearer|: y/.test(command), false, command);
  const args = await argumentsIn(command, "DOCKET_TOKEN=t AUTHORIZATION=a X__KEY_=k");
  assertEquals(JSON.parse(args[args.indexOf("--data-raw") + 1]), body);
  assertEquals(args.filter((_, at) => args[at - 1] === "-H" || args[at - 1] === "--header"), [
    "authorization: a",
    "x-trace: it's",
    "x-$key`: k",
    "accept: application/json",
    "content-type: application/json",
    "X-SERVICE-Developer-Token: t",
  ]);
  const withoutToken = toCurl(setUp({}, { token: null }).client.fileSets.search().request());
  assertEquals(withoutToken.includes("oken"), false);
});
