/** Reasons found in who receives the reports. */
import { digestsOf } from "../runs/outsiders.ts";
import { recipientKey } from "../runs/recipients.ts";
import { unexpected } from "./decisions.ts";
import { type Facts, reasonOf } from "./facts.ts";
import type { Reason } from "./reason.ts";

export function* outsideReasons(
  { content, expected }: Facts,
): Generator<Reason> {
  const outsiders = unexpected(content.outsiders.outsiders, expected);
  if (outsiders.length === 0) return;
  const starts = outsiders.map(({ since }) => since);
  const runs = [...new Set(outsiders.map(({ run }) => run))].map((id) => ({ id }));
  const resembled = outsiders.find(({ resembles }) => resembles !== undefined);
  yield reasonOf("outside-recipient", "critical", Math.min(...starts), runs, {
    count: outsiders.length,
    newest: Math.max(...starts),
    domains: [...new Set(outsiders.map(({ domain }) => domain))].slice(0, 5).join(", "),
    ...(resembled && { lookAlike: resembled.domain, resembles: resembled.resembles! }),
  });
}

const MOST_NAMED = 20;

/** People who left, and whom the newest successful run still lists. */
export function* leaverReasons(
  { timed, leavers, expected }: Facts,
): Generator<Reason> {
  if (leavers.length === 0) return;
  const leftAt = new Map(
    leavers.flatMap(({ recipient, left }) =>
      digestsOf(recipient).filter((digest) => !expected.digests.has(digest))
        .map((digest) => [digest, left] as const)
    ),
  );
  const leaversOf = ({ run, time }: (typeof timed)[number]) =>
    (run.recipients ?? []).filter((one) =>
      digestsOf(one).some((digest) => time >= (leftAt.get(digest) ?? Infinity))
    );
  const listing = timed.filter(({ run, meaning }) => run.recipients?.length && meaning === "good");
  const before = listing.findLastIndex((one) => leaversOf(one).length === 0);
  const shown = listing.slice(before + 1);
  if (shown.length === 0) return;
  const people = leaversOf(shown.at(-1)!);
  // Since when each of them has been listed after leaving.
  const starts = people.map((person) =>
    shown.find((one) =>
      leaversOf(one).some((other) => recipientKey(other) === recipientKey(person))
    )!.time
  );
  const ids = people.map(({ userId }) => userId).filter((id) => typeof id === "number");
  yield reasonOf("leaver-recipient", "critical", shown[0].time, shown.map(({ run }) => run), {
    count: people.length,
    newest: Math.max(...starts),
    userIds: ids.slice(0, MOST_NAMED).join(", "),
  });
}
