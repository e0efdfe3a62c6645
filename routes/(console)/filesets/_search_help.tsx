/** How to write a query for file sets. */
export const QUERY_HELP = (
  <>
    Words find names: <code>payroll</code>. Conditions: <code>owner:Finance,Legal</code>,{" "}
    <code>owner:~fin</code>, <code>{"files:>100"}</code>, <code>updated:last-month</code>,{" "}
    <code>created:2026-01..2026-03</code>, <code>no:description</code>. A minus sign negates:{" "}
    <code>-permission:READ</code>. Sort with <code>sort:-updated,name</code>.
  </>
);
