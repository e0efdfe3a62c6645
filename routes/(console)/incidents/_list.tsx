import type { ComponentChildren } from "preact";
import { capitalized } from "../../../lib/format.ts";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { Choice, Field, FilterPanel } from "../../../components/ui/form.tsx";
import { Pager } from "../../../components/ui/pager.tsx";
import { invalidFilter, PAGE, readFilter } from "../_filter.ts";

/** The values of each choice in the filter; the first one is `all`. */
type Choices = Readonly<Record<string, readonly string[]>>;

export function readList<C extends Choices>(params: URLSearchParams, choices: C) {
  const read = readFilter(params);
  const chosen = Object.fromEntries(
    Object.entries(choices).map(([name, values]) => [name, read.choice(name, values)]),
  );
  const { scheduleId, typed } = read.schedule();
  const offset = read.offset();
  const narrowed = Object.entries(chosen).filter(([, value]) => value !== "all");
  const filter = {
    ...Object.fromEntries(narrowed) as { [Name in keyof C]?: Exclude<C[Name][number], "all"> },
    ...(scheduleId === undefined ? {} : { scheduleId }),
    limit: PAGE,
    offset,
  };
  const isFiltered = narrowed.length > 0 || typed !== "" || offset > 0;
  return {
    filter,
    list: { choices, chosen, typed, offset, issues: read.issues, isFiltered },
    ...(read.issues.length > 0 && { status: 400 }),
  };
}

export function FilteredList({ path, list, label, count, total, children }: {
  readonly path: string;
  readonly list: ReturnType<typeof readList>["list"];
  readonly label: string;
  readonly count: number;
  readonly total: number;
  readonly children: ComponentChildren;
}) {
  const { choices, chosen, typed, offset, issues } = list;
  const href = (start: number) =>
    `${path}?${new URLSearchParams({
      ...chosen,
      ...(typed && { schedule: typed }),
      offset: String(start),
    })}`;
  return (
    <>
      <FilterPanel action={path}>
        {Object.entries(choices).map(([name, values]) => (
          <Choice
            key={name}
            name={name}
            label={capitalized(name)}
            selected={chosen[name]}
            options={values.map((value) => ({ value, text: value.replace("-", " ") }))}
          />
        ))}
        <Field name="schedule" label="Schedule id" inputMode="numeric" value={typed} />
      </FilterPanel>
      {issues.length > 0 ? <ErrorNotice error={invalidFilter(issues)} /> : (
        <>
          {children}
          <Pager
            position={{ start: offset, count, limit: PAGE, total }}
            href={href}
            label={label}
          />
        </>
      )}
    </>
  );
}
