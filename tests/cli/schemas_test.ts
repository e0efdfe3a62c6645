import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { COMMANDS } from "../../cli/options.ts";
import { world } from "./world.ts";

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  filesets: [],
  history: ["101"],
  recipients: ["101"],
  who: ["1", "--schedules", "101"],
  judge: ["101"],
  assert: ["owner:EQUALS:ann"],
  check: ["101"],
  evidence: ["history", "101", "--out", "pack.zip"],
  verify: ["pack.zip"],
};

Deno.test("docket schema: every command writes what its schema describes", async () => {
  assertEquals(Object.keys(ARGUMENTS), Object.keys(COMMANDS));
  const { docket } = world();
  for (const [command, args] of Object.entries(ARGUMENTS)) {
    const schema = JSON.parse((await docket("schema", command)).out);
    const ajv = new Ajv2020({ strict: false });
    // deno-lint-ignore no-explicit-any
    (addFormats as any).default?.(ajv) ?? (addFormats as any)(ajv);
    const validate = ajv.compile(schema);
    const { out } = await docket(command, ...args, "--json");
    assert(validate(JSON.parse(out)), `${command}: ${JSON.stringify(validate.errors)}`);
    assert(!validate({ x: 1 }) && !validate([{ x: 1 }]), `${command}: anything passes`);
  }
});
