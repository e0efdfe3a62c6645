import { assertEquals } from "@std/assert";
import { toCurl } from "../../../../lib/client/transport/curl.ts";
import { setUp } from "../client_setup.ts";

Deno.test("toCurl: a shell reads back the very arguments", async () => {
  const { client } = setUp();
  const body = { filters: [{ field: "a'b\\", value: ["$(x) `y` !z\nnew line"] }] };
  const command = toCurl(client.fileSets.search(body).request());
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `curl() { printf '%s\\0' "$@"; }; DOCKET_TOKEN=secret; ${command}`],
  }).output();
  const args = new TextDecoder().decode(stdout).split("\0");
  assertEquals(JSON.parse(args[args.indexOf("--data-raw") + 1]), body);
  assertEquals(
    toCurl(setUp({}, { token: null }).client.fileSets.search().request()).includes("oken"),
    false,
  );
  assertEquals(args.includes("X-SERVICE-Developer-Token: secret"), true);
});

Deno.test("toCurl: the client's other headers are there, and secret ones are variables", async () => {
  const headers = { Authorization: "Bearer x", "x-trace": "it's", "x-$key`": "y" };
  const { client } = setUp({}, { headers });
  const command = toCurl(client.reportSchedules.history(101).request());
  assertEquals(/Bearer|: y/.test(command), false, command);
  const { stdout } = await new Deno.Command("bash", {
    args: [
      "-c",
      `curl() { printf '%s\\0' "$@"; }; DOCKET_TOKEN=t AUTHORIZATION=a X__KEY_=k; ${command}`,
    ],
  }).output();
  const args = new TextDecoder().decode(stdout).split("\0").filter((text) => text.includes(": "));
  assertEquals(args, [
    "authorization: a",
    "x-trace: it's",
    "x-$key`: k",
    "accept: application/json",
    "X-SERVICE-Developer-Token: t",
  ]);
});
