import { assertEquals } from "@std/assert";
import { setUp, TOKEN } from "./client_setup.ts";

Deno.test("Result: sends nothing before it is awaited, and one request however often it is", async () => {
  const { client, service } = setUp();
  const result = client.fileSets.search({}, { limit: 10 });
  await new Promise((done) => setTimeout(done, 0));
  assertEquals(service.requests.length, 0);
  const [first, second] = await Promise.all([result, result]);
  assertEquals(first, second);
  assertEquals((await result).pageContext.total, 250);
  assertEquals(service.requests.length, 1);
});

Deno.test("Result: iterated, it is every row, and each iteration asks anew", async () => {
  const { client, service } = setUp();
  const result = client.fileSets.search({ filters: [{ field: "owner", value: ["ann"] }] });
  assertEquals((await Array.fromAsync(result)).length, 84);
  service.fileSets.pop();
  service.fileSets.splice(0, 3);
  assertEquals((await Array.fromAsync(result)).length, 82);
});

Deno.test("Result: iterated from an offset, it is every row from there", async () => {
  const { client } = setUp();
  const rows = await Array.fromAsync(client.fileSets.search({}, { offset: 240, limit: 3 }));
  assertEquals(rows.map(({ name }) => name).at(0), "File set 240");
  assertEquals(rows.length, 10);
  const runs = await Array.fromAsync(client.reportSchedules.history(101, { skip: 100 }));
  assertEquals(runs.length, 20);
});

Deno.test("Result: catch and finally work as a promise's", async () => {
  const { client } = setUp({ faults: () => ({ kind: "status", status: 404 }) });
  let ended = false;
  const result = client.reportSchedules.history(999);
  assertEquals(await result.catch((error) => (error as { kind: string }).kind), "http");
  await result.finally(() => {
    ended = true;
  }).catch(() => {});
  assertEquals(ended, true);
});

Deno.test("toCurl: the request as a command, with $DOCKET_TOKEN in place of the token", () => {
  const { client, service } = setUp();
  const body = { filters: [{ field: "name", value: ['it\'s $HOME `x` "y"'] }] };
  const command = client.fileSets.search(body, { limit: 5 }).toCurl();
  assertEquals(
    command,
    `curl 'https://service.example/api/files/v1/filesets/search?limit=5&offset=0' \\\n` +
      `  -H 'accept: application/json' \\\n` +
      `  -H 'content-type: application/json' \\\n` +
      `  -H "X-SERVICE-Developer-Token: $DOCKET_TOKEN" \\\n` +
      `  --data-raw '{"filters":[{"field":"name","value":["it'\\''s $HOME \`x\` \\"y\\""]}]}'`,
  );
  assertEquals([command.includes(TOKEN), service.requests.length], [false, 0]);
});

Deno.test("toCurl: a shell reads back the very arguments", async () => {
  const { client } = setUp();
  const body = { filters: [{ field: "a'b\\", value: ["$(x) `y` !z\nnew line"] }] };
  const command = client.fileSets.search(body).toCurl();
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `curl() { printf '%s\\0' "$@"; }; DOCKET_TOKEN=secret; ${command}`],
  }).output();
  const args = new TextDecoder().decode(stdout).split("\0");
  assertEquals(JSON.parse(args[args.indexOf("--data-raw") + 1]), body);
  assertEquals(args.includes("X-SERVICE-Developer-Token: secret"), true);
});

Deno.test("toCurl: the client's other headers are there, and secret ones are variables", async () => {
  const headers = { Authorization: "Bearer x", "x-trace": "it's", "x-$key`": "y" };
  const { client } = setUp({}, { headers });
  const command = client.reportSchedules.history(101).toCurl();
  assertEquals(/Bearer|: y/.test(command), false, command);
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `curl() { printf '%s\\0' "$@"; }; TOKEN=t AUTHORIZATION=a X__KEY_=k; ${command}`],
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

Deno.test("toCurl: for PowerShell when asked", () => {
  const { client } = setUp({}, { headers: { "x-trace": "it's", "api-key": "k" } });
  const command = client.fileSets.search({ filters: [{ field: "$a", value: ["'"] }] })
    .toCurl({ shell: "powershell" });
  assertEquals(
    command,
    [
      "curl 'https://service.example/api/files/v1/filesets/search?limit=100&offset=0'",
      "-H 'x-trace: it''s'",
      '-H "api-key: $env:API_KEY"',
      "-H 'accept: application/json'",
      "-H 'content-type: application/json'",
      '-H "X-SERVICE-Developer-Token: $env:TOKEN"',
      `--data-raw '{"filters":[{"field":"$a","value":["''"]}]}'`,
    ].join(" `\n  "),
  );
});

Deno.test("toCurl: without a token there is no token header", () => {
  const { client } = setUp({}, { token: null });
  assertEquals(
    client.reportSchedules.history(101).toCurl(),
    `curl 'https://service.example/api/content/v1/reportschedules/101/history?limit=100&skip=0' ` +
      `\\\n  -H 'accept: application/json'`,
  );
});
