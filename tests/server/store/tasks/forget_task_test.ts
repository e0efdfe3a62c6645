import { assert, assertEquals, assertStringIncludes } from "@std/assert";
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
import { incident } from "../records/incident.ts";
import { fileSet, run as row } from "../rows.ts";
import { inDatabase, type TaskRunner, withTasks } from "./task_context.ts";

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

function surroundings({ dataDir, run }: TaskRunner) {
  // The key that the task makes.
  const recordsKeys = () => [Deno.readTextFileSync(`${dataDir}/records-key`)];
  return {
    dataDir,
    forget: (...args: string[]) => run(forget, ...args),
    /** Does work with the database while no task has it open. */
    open: (work: Parameters<typeof inDatabase<unknown>>[1]) =>
      inDatabase({ dataDir, recordsKeys }, work),
  };
}

function test(name: string, work: (here: ReturnType<typeof surroundings>) => Promise<void>): void {
  Deno.test(`forget: ${name}`, () => withTasks((runner) => work(surroundings(runner))));
}

/** Runs of a schedule with these recipients. */
const runsWith = (scheduleId: number, ...lists: (readonly Recipient[])[]) =>
  lists.map((recipients, at) => ({ scheduleId, run: { ...row(at + 1), recipients } }));

test("erases address and name everywhere, also from what is read later", async (here) => {
  const { dataDir, open } = here;
  const other = { ...ROWAN, emailAddress: ADDRESS.toLowerCase() };
  const runs = runsWith(101, [ADA, ROWAN], [other], [{ ...ROWAN, displayName: "R. Pike" }, ADA]);
  await open(async ({ store, records }) => {
    const fileSets = [fileSet(1, { id: `Of ${ADDRESS}`, owner: `Rowan Pike <${ADDRESS}>` })];
    await store.put({ runs, fileSets });
    await records.watches.add([101], NOW, { owner: `Ask ${ADDRESS}` });
    const reason = sampleReason("outside-recipient", { subject: "Rowan Pike" });
    await records.commit([insertIncident(incident("i1", { scheduleId: 101, reason }))]);
  });
  const texts = [ADDRESS, "Rowan Pike", "R. Pike"];
  assertEquals(await foundIn(dataDir, texts), texts);

  const { code, printed } = await here.forget("ROWAN.PIKE@partner.example.net");
  assertEquals(code, 0);
  assertStringIncludes(printed, "Erased from 3 runs");
  assertEquals(await foundIn(dataDir, texts), []);

  await open(async ({ store, database }) => {
    // A new run lists a forgotten person as well. Nobody else without a user id is forgotten.
    const guest = { displayName: "Guest", emailAddress: "guest@example.com" } as typeof ROWAN;
    const late = { ...row(4), recipients: [{ ...ROWAN, userId: 78 }, guest] };
    await store.put({ runs: [{ scheduleId: 101, run: late }] });
    const histories = await store.reportSchedules.history(101);
    const names = histories.map(({ recipients }) => recipients!.map((each) => each.displayName));
    const name = "forgotten person";
    assertEquals(names, [["Ada Byron", name], [name], [name, "Ada Byron"], [name, "Guest"]]);
    assert((await database.read(sql`SELECT id FROM people`)).length <= 5);
  });
  assertEquals(await foundIn(dataDir, texts), []);
});

test("finds names in any script, and leaves longer ones", async ({ dataDir, forget, open }) => {
  const person = { userId: 5, displayName: 'Ölga "Al" Ärger', emailAddress: "al@example.com" };
  const other = { userId: 6, displayName: "Pal Ärgerlich", emailAddress: "pal@example.com" };
  const name = 'Ask ÖLGA "AL" ÄRGER or pal@example.com, not xal@example.com';
  await open(async ({ store, records }) => {
    const owners = [`To:\n${person.displayName}`, name];
    const fileSets = owners.map((owner, at) => fileSet(at + 1, { owner }));
    await store.put({ runs: runsWith(1, [person, other]), fileSets });
    await records.watches.add([1], NOW, { name });
  });
  assertEquals((await forget(person.emailAddress)).code, 0);
  assertEquals(await foundIn(dataDir, ['lga "Al"', '"AL"', 'lga \\"Al']), []);
  await open(async ({ database, store, records }) => {
    const [watch] = await records.watches.list();
    assertStringIncludes(watch.name, "or pal@example.com, not xal@example.com");
    const [{ recipients }] = await store.reportSchedules.history(1);
    assertEquals(recipients!.at(-1), other);
    const rows = await database.read(sql`SELECT address FROM forms ORDER BY user_id`);
    assertEquals(rows.at(-1), { address: other.emailAddress });
  });
});

test("refuses what names nobody, or several people", async ({ forget, open }) => {
  for (const args of [[], ["Rowan"], ["a@b", "c@d"]]) {
    assertEquals((await forget(...args)).code, 2);
  }
  await open(({ store }) => store.put({ runs: runsWith(1, [ROWAN, { ...ROWAN, userId: 78 }]) }));
  const { code, reported } = await forget(ADDRESS);
  assertEquals(code, 2);
  assertStringIncludes(reported, "use the user id");
  const found = await forget("78");
  assertEquals([found.code, found.reported.includes("check the spelling")], [0, false]);
  assertStringIncludes((await forget("79")).reported, "about 79: check the spelling");
});

test("removes the address from owners' mail channels, and names the owners", async (here) => {
  const { dataDir, open } = here;
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
  const { code, reported } = await here.forget("77");
  assertEquals([code, reported.includes("Ada")], [0, false]);
  for (
    const words of [
      'The mail channel of the owner "Finance" no longer has the address',
      '"Ops" had no other address, and was removed',
      '"Sales" was not searched: it was sealed with another',
    ]
  ) assertStringIncludes(reported, words);
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
    const by = (await owners.list()).map(({ key, actor: { name } }) => `${key} by ${name}`);
    const erasure = "the erasure of a person";
    assertEquals(by, ["ada by Ada", `finance by ${erasure}`, `ops by ${erasure}`, "sales by Ada"]);
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
