import { useContext } from "preact/hooks";
import { formatCount } from "../../../lib/format.ts";
import { domainOf, type RecipientHistory } from "../../../lib/runs/recipients.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { Choice, Field, FilterPanel } from "../../ui/form.tsx";
import { filterText, MAX_TEXT } from "../../ui/query.ts";
import { AddressesField, AddressesShown } from "./address.tsx";
import { scheduleHref } from "../run_links.ts";

/** Which recipients a page lists. Addresses don't belong in URLs, so they can't be filtered. */
export interface RecipientFilter {
  readonly name: string;
  readonly domain: string;
}

export function readRecipientFilter(params: URLSearchParams): RecipientFilter {
  return { name: filterText(params, "name"), domain: filterText(params, "domain").toLowerCase() };
}

export function matchesFilter(
  { displayName }: Recipient,
  addresses: readonly (string | null | undefined)[],
  { name, domain }: RecipientFilter,
): boolean {
  return (displayName ?? "").toLowerCase().includes(name.toLowerCase()) &&
    (domain === "" || addresses.some((address) => domainOf(address) === domain));
}

/** Sorts those who need a look first: new external recipients, then those at another domain. */
export function flaggedFirst(
  histories: readonly RecipientHistory<ReportRun>[],
  flags: ReadonlyMap<string, string>,
): RecipientHistory<ReportRun>[] {
  return [
    ...histories.filter(({ key }) => flags.has(key)),
    ...histories.filter(({ key }) => !flags.has(key)),
  ];
}

export function RecipientFilterForm({ scheduleId, filter, domains }: {
  readonly scheduleId: number;
  readonly filter: RecipientFilter;
  readonly domains: readonly { readonly domain: string; readonly recipients: number }[];
}) {
  const addressesShown = useContext(AddressesShown);
  const { name, domain } = filter;
  const path = `${scheduleHref(scheduleId)}/recipients`;
  const listed = domains.map(({ domain, recipients }) => ({
    value: domain,
    text: `${domain} (${formatCount(recipients)})`,
  }));
  const isListed = domain === "" || domains.some((each) => each.domain === domain);
  return (
    <FilterPanel
      action={path}
      clear={!!(name || domain) && (addressesShown ? `${path}?addresses=shown` : path)}
    >
      <AddressesField />
      <Field name="name" label="Name" type="search" maxLength={MAX_TEXT} value={name} />
      <Choice
        name="domain"
        label="Domain"
        selected={domain}
        options={[
          { value: "", text: "any" },
          ...isListed ? [] : [{ value: domain, text: `${domain} (0)` }],
          ...listed,
        ]}
      />
    </FilterPanel>
  );
}
