/** The parts of errors in plain words. */

/** How long to wait before another attempt; 0 if nobody says. */
export function formatWait(seconds = 0): string {
  if (seconds === 0) return "a moment";
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** A validation issue as text. Pointers such as `/filters/0/field` are counted from one. */
export function formatIssue({ pointer, parameter, detail }: {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}): string {
  const place = parameter ?? pointer?.split("/").slice(1)
    .map((part) => /^\d+$/.test(part) ? String(Number(part) + 1) : MEMBERS[part] ?? part)
    .join(" ");
  // Some details already begin with the place.
  return !place || detail.startsWith(place) ? detail : `${place}: ${detail}`;
}

const MEMBERS: Readonly<Record<string, string>> = {
  filters: "condition",
  dateFilters: "date condition",
  fieldSort: "sort key",
};
