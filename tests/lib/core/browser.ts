/** Runs the core checks in a page; its title says what came of each. */

import { coreChecks } from "./checks.ts";

const results: string[] = [];
for (const { name, check } of coreChecks) {
  try {
    await check();
    results.push(`passed: ${name}`);
  } catch (error) {
    results.push(`failed: ${name}: ${error}`);
  }
}
Object.assign(globalThis, { coreResults: results });
