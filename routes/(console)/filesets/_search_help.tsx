import type { Facets } from "../../../lib/search/facets.ts";
import type { FileSet } from "../../../lib/types.ts";

const MAX_VALUES = 50;

/** The values that the search form suggests. */
export function fileSetValues(facets: Facets | null, rows: readonly FileSet[]) {
  const valuesOf = (name: "owner" | "permission") => {
    const { options = [] } = facets?.facets.find(({ field }) => field === name) ?? {};
    const counted = options.flatMap(({ condition }) =>
      "value" in condition ? condition.value ?? [] : []
    );
    const seen = new Set([...counted, ...rows.map((row) => row[name])]);
    return [...seen].filter((value) => typeof value === "string").slice(0, MAX_VALUES);
  };
  return { owner: valuesOf("owner"), permission: valuesOf("permission") };
}

export function QueryHelp() {
  return (
    <details class="query-help">
      <summary>How to write a query</summary>
      <p class="help">
        Words find names: <code>payroll</code>. Conditions: <code>owner:Finance,Legal</code>,{" "}
        <code>owner:~fin</code>, <code>{"files:>100"}</code>, <code>updated:last-month</code>,{" "}
        <code>created:2026-01..2026-03</code>, <code>no:description</code>. A minus sign negates:
        {" "}
        <code>-permission:READ</code>. Sort with <code>sort:-updated,name</code>.
      </p>
    </details>
  );
}
