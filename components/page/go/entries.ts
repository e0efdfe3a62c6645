/** What `/go` lists. */

export const GROUPS = ["Schedules", "People", "Pages", "Search"] as const;

/** The marks of a schedule's last planned runs, drawn from left to right. */
export interface StripDrawing {
  readonly label: string;
  readonly width: number;
  readonly paths: readonly (readonly [tone: string, d: string])[];
}

export interface Entry {
  readonly group: typeof GROUPS[number];
  readonly name: string;
  readonly href: string;
  readonly note?: string;
  readonly strip?: StripDrawing;
}

export interface FoundSchedules {
  readonly entries: readonly Entry[];
  readonly people: readonly Entry[];
  readonly total: number;
}

const PAGES: readonly (readonly [href: string, name: string])[] = [
  ["/", "Today"],
  ["/schedules", "Schedules"],
  ["/people", "People"],
  ["/people/worklist", "Worklist"],
  ["/people/leavers", "Leavers"],
  ["/filesets", "File sets"],
  ["/incidents", "Incidents"],
  ["/incidents/deliveries", "Deliveries"],
  ["/owners", "Owners and calendars"],
  ["/service", "Service: what its statuses mean"],
  ["/preferences", "Preferences"],
];

function hasWords(name: string, text: string): boolean {
  const lower = name.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

export function pageEntries(text: string): readonly Entry[] {
  return PAGES.filter(([, name]) => hasWords(name, text))
    .map(([href, name]) => ({ group: "Pages", name, href }));
}

export function scheduleEntry(id: number, name = "", note?: string): Entry {
  return { group: "Schedules", name: `${id} ${name}`.trim(), href: `/schedules/${id}`, note };
}

export function scheduleEntries(text: string, found: readonly Entry[]): readonly Entry[] {
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  if (id === null || found.some(({ href }) => href === `/schedules/${id}`)) return found;
  return [{ ...scheduleEntry(id), name: `Schedule ${id}` }, ...found];
}

export function searchEntries(text: string): readonly Entry[] {
  if (!text) return [];
  const href = `/filesets?${new URLSearchParams({ q: text })}`;
  return [{ group: "Search", name: `Search file sets for “${text}”`, href }];
}

/** Every place that a text may mean, the likeliest first. */
export function foundEntries(text: string, { entries, people }: FoundSchedules): readonly Entry[] {
  return [...scheduleEntries(text, entries), ...people, ...pageEntries(text)];
}

/** The entries of each group in display order, without empty groups. */
export function grouped(
  entries: readonly Entry[],
): readonly (readonly [group: Entry["group"], entries: readonly Entry[]])[] {
  return GROUPS.map((group) => [group, entries.filter((each) => each.group === group)] as const)
    .filter(([, of]) => of.length > 0);
}
