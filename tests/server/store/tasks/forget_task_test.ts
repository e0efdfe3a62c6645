import { assertEquals, assertStringIncludes } from "@std/assert";
import { createSealing } from "../../../../server/auth/sealing.ts";
import { storedSecret } from "../../../../server/config/data_folder.ts";
import { saveOwner } from "../../../../server/actions/save_owner.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { insertIncident } from "../../../../server/store/records/incidents.ts";
import type { Recipient } from "../../../../lib/types.ts";
import { forget } from "../../../../server/store/tasks/forget_task.ts";
import { token } from "../../../../server/store/tasks/token_task.ts";
import { ADA as ADA_ACTOR } from "../../../actors.ts";
import { TOKEN } from "../../../app.ts";
import { withProgram } from "../../../program.ts";
import { sampleReason } from "../../../sample_reasons.ts";
import { incident } from "../records/stored_rows.ts";
import { fileSet, run as row } from "../rows.ts";
import { type TaskRunner, withTasks } from "./task_context.ts";

const NOW = Date.UTC(2026, 10, 23);
const ADDRESS = "Rowan.Pike@partner.example.net";
const ROWAN = { userId: 77, displayName: "Rowan Pike", emailAddress: ADDRESS };
const ADA = { userId: 1, displayName: "Ada Byron", emailAddress: "ada@example.com" };

/** The texts that are anywhere in the files of the data folder, whatever their case. */
async function foundIn(dataDir: string, texts: readonly string[]): Promise<readonly string[]> {
  let all = "";
  for await (const { name } of Deno.readDir(dataDir)) {
    if (!name.startsWith("docket.sqlite")) continue;
    all += new TextDecoder("latin1").decode(await Deno.readFile(`${dataDir}/${name}`));
  }
  return texts.filter((text) => all.toLowerCase().includes(text.toLowerCase()));
}

function test(name: string, work: (runner: TaskRunner) => Promise<void>): void {
  Deno.test(`forget: ${name}`, () => withTasks(work));
}

/** Runs of a schedule with these recipients. */
const runsWith = (scheduleId: number, ...lists: (readonly Recipient[])[]) =>
  lists.map((recipients, at) => ({ scheduleId, run: { ...row(at + 1), recipients } }));

test("erases names in any script and addresses everywhere, also from what is read later", async ({ dataDir, run, open }) => {
  const olga = { userId: 5, displayName: 'Ölga "Al" Ärger', emailAddress: "al@example.com" };
  // Others' names and addresses contain hers.
  const pal = { userId: 6, displayName: "Pal Ärgerlich", emailAddress: "pal@example.com" };
  const others = "or pal@example.com, not xal@example.com";
  const runs = runsWith(
    101,
    [ADA, ROWAN, olga, pal],
    [{ ...ROWAN, emailAddress: ADDRESS.toLowerCase() }],
    [{ ...ROWAN, displayName: "R. Pike" }, ADA],
  );
  await open(async ({ store, records }) => {
    const owners = [`Rowan Pike <${ADDRESS}>`, `To:\n${olga.displayName}`];
    const fileSets = owners.map((owner, at) => fileSet(at, { id: `${at} of ${ADDRESS}`, owner }));
    await store.put({ runs, fileSets });
    await records.watches.add([101], NOW, { owner: `Ask ${ADDRESS}, ÖLGA "AL" ÄRGER ${others}` });
    const reason = sampleReason("outside-recipient", { subject: "Rowan Pike" });
    await records.commit([insertIncident(incident("i1", { scheduleId: 101, reason }))]);
  });
  const texts = [ADDRESS, "Rowan Pike", "R. Pike", 'lga "Al"', '"AL"', 'lga \\"Al'];
  assertEquals(await foundIn(dataDir, texts), texts);

  const { printed } = await run(forget, "ROWAN.PIKE@partner.example.net");
  assertStringIncludes(printed, "Erased from 3 runs");
  await run(forget, olga.emailAddress);
  assertEquals(await foundIn(dataDir, texts), []);

  await open(async ({ store, records, database }) => {
    // A new run lists a forgotten person as well. Nobody else without a user id is forgotten.
    const guest = { displayName: "Guest", emailAddress: "guest@example.com" } as typeof ROWAN;
    const late = { ...row(4), recipients: [{ ...ROWAN, userId: 78 }, guest] };
    await store.put({ runs: [{ scheduleId: 101, run: late }] });
    const histories = await store.reportSchedules.history(101);
    const names = histories.map(({ recipients }) =>
      recipients!.map(({ displayName }) => displayName!.replace("forgotten person", "-")).join()
    );
    assertEquals(names, ["Ada Byron,-,-,Pal Ärgerlich", "-", "-,Ada Byron", "-,Guest"]);
    assertEquals(histories[0].recipients!.at(-1), pal);
    const rows = await database.read(sql`SELECT address FROM forms WHERE user_id = ${pal.userId}`);
    assertEquals(rows, [{ address: pal.emailAddress }]);
    assertStringIncludes((await records.watches.list())[0].owner, others);
  });
  assertEquals(await foundIn(dataDir, texts), []);
});

test("refuses what names several people, and says if nobody was found", async ({ run, open }) => {
  const lists = [[ROWAN, { ...ROWAN, userId: 78 }], [ADA, { ...ADA, emailAddress: ADDRESS }]];
  await open(({ store }) => store.put({ runs: runsWith(1, ...lists) }));
  const refused = [[ADDRESS, "use the user id"], ["1", "identifies nobody: use the address"]];
  for (const [person, advice] of refused) {
    const { code, reported } = await run(forget, person);
    assertEquals(code, 2);
    assertStringIncludes(reported, advice);
  }
  const found = await run(forget, "78");
  assertEquals([found.code, found.reported.includes("check the spelling")], [0, false]);
  assertStringIncludes((await run(forget, "79")).reported, "about 79: check the spelling");
});

test("removes the address from owners' mail channels, and names the owners", async ({ dataDir, run, open }) => {
  const sealing = createSealing([storedSecret(dataDir, "records-key", 32)]);
  await open(async ({ store, records }) => {
    await store.put({ runs: runsWith(1, [ROWAN]) });
    const settings = { observer: { mailServer: {} as never, webhookHosts: [] } };
    const save = (name: string, mail: string, by = sealing) => {
      const services = { records, sealing: by, settings };
      return saveOwner(services, { name, channels: { mail } }, { actor: ADA_ACTOR, now: NOW });
    };
    await save("Finance", `b@example.com,${ADDRESS}`);
    await save("Ada", "a@b.example");
    await save("Ops", ADDRESS);
    await save("Sales", "s@example.com", createSealing(["lost".repeat(8)]));
  });
  const { code, reported } = await run(forget, "77");
  assertEquals([code, reported.includes("Ada")], [0, false]);
  const said = [
    'The mail channel of the owner "Finance" no longer has the address',
    '"Ops" had no other address, and was removed',
    '"Sales" was not searched: it was sealed with another',
  ];
  for (const words of said) assertStringIncludes(reported, words);
  await open(async ({ records: { owners } }) => {
    const channels = await owners.sealedChannels();
    const secrets = channels.map(async ({ ownerKey, hint, sealed }) =>
      [ownerKey, hint, await sealing.open(sealed)].join(" ")
    );
    assertEquals((await Promise.all(secrets)).sort(), [
      "ada a…@b.example a@b.example",
      "finance b…@example.com b@example.com",
      "sales s…@example.com ",
    ]);
    assertEquals((await owners.get("Ops"))!.actor.name, "the erasure of a person");
  });
});

Deno.test("forget: the Docket that serves the database does it for an operator, in every file", () =>
  withProgram({}, async ({ origin, dataDir }) => {
    const texts = ["bao.dubois@example.com", "Bao Dubois"];
    const env = { DATA_DIR: dataDir, DOCKET_URL: origin };
    await withTasks(async ({ run }) => {
      const added = await run(token, "add", "Ada");
      assertEquals(added.reported, `Database: ${dataDir}/docket.sqlite`);
      const asReader = { ...env, DOCKET_TOKEN: added.printed };
      await withTasks(async ({ run }) => {
        const { code, reported } = await run(forget, texts[0]);
        assertEquals(code, 2);
        const words = "The Docket at DOCKET_URL did not do it: Only operators";
        assertStringIncludes(reported, words);
        assertEquals(await foundIn(dataDir, texts), texts);
      }, asReader);
      const { code, reported } = await run(forget, texts[0]);
      assertEquals([code, await foundIn(dataDir, texts)], [0, []], reported);
    }, { ...env, DOCKET_TOKEN: TOKEN });
  }));
