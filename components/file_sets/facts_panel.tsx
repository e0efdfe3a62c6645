import type { FileSetFacts, ValueCount } from "../../lib/file_set_facts.ts";
import { formatCount, formatCountOf } from "../ui/format.ts";

/** The maximum number of values shown for a field. */
const MAX_VALUES = 8;

/** Facts about the matching file sets, and how many of them are covered. */
export function FactsPanel({ facts, total }: {
  readonly facts: FileSetFacts;
  /** The number of all matching file sets, or null if the service does not give it. */
  readonly total: number | null;
}) {
  const { count, owners, permissions, files, created } = facts;
  const all = total !== null && count >= total;
  return (
    <section class="facts-panel" aria-labelledby="facts-heading">
      <h2 id="facts-heading">Facts</h2>
      <p class="help">
        {all ? "All " : `The first ${formatCount(count)} of `}
        {total === null ? "the matching file sets" : formatCountOf(total, "file set", "file sets")}
      </p>
      <Values title="Owners" values={owners} of={count} />
      <Values title="Permissions" values={permissions} of={count} />
      {files && (
        <p>
          {formatCountOf(files.total, "file", "files")} in total; median{" "}
          {formatCount(files.median)}, maximum {formatCount(files.most)}; {formatCount(files.empty)}
          {" "}
          empty
        </p>
      )}
      {created.length > 1 && <Months months={created} />}
    </section>
  );
}

function Values({ title, values, of }: {
  readonly title: string;
  readonly values: readonly ValueCount[];
  readonly of: number;
}) {
  const shown = values.slice(0, MAX_VALUES);
  const others = values.slice(MAX_VALUES).reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <h3>{title}</h3>
      <table class="bars">
        <tbody>
          {shown.map(({ value, count }) => (
            <tr key={value}>
              <th scope="row">{value ?? "none"}</th>
              <td class="number">{formatCount(count)}</td>
              <td aria-hidden="true">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" class="bar">
                  <rect width={(100 * count) / of} height="8" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p class="help">
          {formatCount(others)} in {formatCountOf(values.length - MAX_VALUES, "other", "others")}
        </p>
      )}
    </>
  );
}

const CHART = { width: 260, height: 48 } as const;

/** A bar for each month, with the same numbers in a table. */
function Months({ months }: { readonly months: FileSetFacts["created"] }) {
  const most = Math.max(...months.map(({ count }) => count));
  const step = CHART.width / months.length;
  const [first, last] = [months[0].month, months[months.length - 1].month];
  return (
    <>
      <h3>Created by month (UTC)</h3>
      <svg
        class="months"
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        role="img"
        aria-label={`File sets created by month from ${first} to ${last}, at most ${most} in a month`}
      >
        {months.map(({ month, count }, at) => {
          const height = (CHART.height * count) / most;
          return (
            <rect
              key={month}
              x={at * step}
              y={CHART.height - height}
              width={Math.max(step - 1, 0.5)}
              height={height}
            >
              <title>{`${month}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="ends">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>Show as a table</summary>
        <table>
          <tbody>
            {months.map(({ month, count }) => (
              <tr key={month}>
                <th scope="row">{month}</th>
                <td class="number">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
