import { uncapitalized } from "../../lib/format.ts";
import { When } from "../ui/moment.tsx";

/** Why the service or a schedule can't be read, and when what is shown was read. */
export interface Outage {
  /** What can't be read. */
  readonly of: "the service" | "this schedule";
  readonly failure: string;
  readonly failingSince: number | null;
  readonly polled: number | null;
}

/** What the banner need not say, as it names the service. */
const ANSWERED = "The service answered with ";

export function OutageBanner({ outage }: { readonly outage: Outage }) {
  const { of, failure, failingSince, polled } = outage;
  return (
    <p class="notice bad wide" role="alert">
      Can't read {of}
      {failingSince !== null && [" since ", <When key="since" at={failingSince} />]}
      {failure && ` (${uncapitalized(failure.replace(ANSWERED, ""))})`}.
      {polled !== null &&
        [" Showing what was read ", <When key="read" at={polled} />, "."]}
    </p>
  );
}
