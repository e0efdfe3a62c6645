/** The files of docs/monitoring, checked by the programs that they are for, where those are installed. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR } from "../../lib/time_units.ts";
import { writeMetrics } from "../../server/observer/metrics.ts";
import { webhookOutlet } from "../../server/observer/outlets/webhook.ts";
import { event } from "../server/observer/events.ts";
import { START, withWorld } from "../server/observer/world.ts";
import { eventually } from "../eventually.ts";
import { endProcess, freePort, isInstalled, outputOfCommand } from "../processes.ts";
import { withFolder } from "../with_folder.ts";

const FOLDER = new URL("../../docs/monitoring/", import.meta.url);

const run = (program: string, ...args: string[]) => outputOfCommand(program, { args, cwd: FOLDER });
const textOf = (name: string) => Deno.readTextFile(new URL(name, FOLDER));

/** Makes a test with a program, where that is installed. */
function testWith(program: string, name: string, fn: () => Promise<void>): void {
  const ignore = !isInstalled([program, "--version"]);
  Deno.test({ name: `docs/monitoring: ${name}`, ignore, fn });
}

testWith(
  "promtool",
  "promtool accepts the files, and the rules say what they should",
  () =>
    withFolder(async (folder) => {
      await run("promtool", "test", "rules", "rules_test.yml");
      for (const name of ["prometheus.yml", "rules.yml"]) {
        await Deno.copyFile(new URL(name, FOLDER), `${folder}/${name}`);
      }
      await Deno.writeTextFile(`${folder}/docket-metrics-token`, "a-token-of-a-test");
      const said = await run("promtool", "check", "config", `${folder}/prometheus.yml`);
      assertStringIncludes(said, "SUCCESS: 1 rule files found");
    }),
);

testWith("amtool", "the route takes incidents, and that Docket does not work, once", async () => {
  await run("amtool", "check-config", "alertmanager.yml");
  const names = [...(await textOf("rules.yml")).matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  assert(names.includes("DocketNotPolling"));
  for (const name of ["DocketIncident", "Other", ...names]) {
    const isNotified = name.startsWith("Docket") && !name.startsWith("DocketSchedule");
    const verify = `--verify.receivers=${isNotified ? "reports" : "nobody"}`;
    const options = ["--config.file=alertmanager.yml", verify, `alertname=${name}`];
    await run("amtool", "config", "routes", "test", ...options);
  }
});

Deno.test("docs/monitoring: rules and dashboard name metrics that there are", () =>
  withWorld([1], async (world) => {
    world.run(1, START - HOUR);
    await world.until(START + HOUR);
    const text = await writeMetrics(world.records);
    const present = new Set([...text.matchAll(/^(docket_\w+)/gm)].map(([name]) => name));
    for (const file of ["rules.yml", "grafana.json"]) {
      const used = (await textOf(file)).match(/\bdocket_\w+/g) ?? [];
      assert(used.length > 0);
      assertEquals(used.filter((name) => !present.has(name)), [], file);
    }
  }));

const RECEIVERS = [
  ["python3", "receiver.py"],
  [Deno.execPath(), "run", "-A", "--config=../../tests/deno.json", "receiver.ts"],
];

for (const [program, ...args] of RECEIVERS) {
  testWith(program, `${args.at(-1)} takes what is signed, and nothing else`, async () => {
    const secret = `whsec_${btoa("s".repeat(32))}`;
    const port = freePort();
    const env = { WEBHOOK_SECRET: secret, RECEIVER_PORT: String(port) };
    const quiet = { stdout: "null", stderr: "null" } as const;
    const receiver = new Deno.Command(program, { args, cwd: FOLDER, env, ...quiet }).spawn();
    const url = `http://127.0.0.1:${port}/`;
    const answerTo = (key: string, at: number) =>
      webhookOutlet({ url, secret: key }).send([{ id: "msg_1", event: event() }], at)
        .then(() => "taken", (error) => error.message);
    try {
      await eventually(async () => assertEquals(await answerTo(secret, Date.now()), "taken"));
      const other = `whsec_${btoa("t".repeat(32))}`;
      for (const [key, at] of [[other, Date.now()], [secret, Date.now() - HOUR]] as const) {
        assertEquals(await answerTo(key, at), "The receiver answered with status 401");
      }
      const unsigned = await fetch(url, { method: "POST", body: "{}" });
      await unsigned.body?.cancel();
      assertEquals(unsigned.status, 401);
    } finally {
      await endProcess(receiver);
    }
  });
}
