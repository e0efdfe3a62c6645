/** Runs the core checks in Node. Ends with 1 when one fails. */

import process from "node:process";
import { coreChecks } from "./checks.ts";

for (const { name, check } of coreChecks) {
  try {
    await check();
    console.log(`passed: ${name}`);
  } catch (error) {
    console.error(`failed: ${name}`, error);
    process.exitCode = 1;
  }
}
