/** A fault of a problem document in words: a pointer such as `/filters/0/field` counts from one. */
export function faultWords({ pointer, parameter, detail }: {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}): string {
  const place = parameter ?? pointer?.split("/").slice(1)
    .map((part) => /^\d+$/.test(part) ? String(Number(part) + 1) : MEMBERS[part] ?? part)
    .join(" ");
  // Some say themselves where they are.
  return !place || detail.startsWith(place) ? detail : `${place}: ${detail}`;
}

const MEMBERS: Readonly<Record<string, string>> = {
  filters: "condition",
  dateFilters: "date condition",
  fieldSort: "sort key",
};
