import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatCount } from "../../../lib/format.ts";
import { Marked } from "../../ui/notices.tsx";
import { Now, When } from "../../ui/moment.tsx";
import { Section } from "../../ui/section.tsx";

/** A channel or outlet, and its health; times are milliseconds since 1970. */
interface ChannelRow {
  readonly outlet: string;
  readonly label: string;
  readonly shown?: string;
  readonly sent: number | null;
  readonly waiting: number;
  readonly failingSince: number | null;
  readonly waitingSince: number | null;
  readonly givenUp: number | null;
}

/** Outlets collect messages for some seconds before they send them. */
const COLLECTED_MS = 60_000;
const SIGNS = { good: "✓", bad: "✕", off: "○" } as const;

/** A channel's health; `off` if it never sent anything. */
export function channelTone(
  { sent, failingSince, waitingSince, givenUp }: ChannelRow,
  now: number,
): keyof typeof SIGNS {
  const isLate = waitingSince !== null && waitingSince < now - COLLECTED_MS;
  if (failingSince !== null || isLate || (givenUp ?? 0) > (sent ?? 0)) return "bad";
  return sent === null ? "off" : "good";
}

/** Channels with their health, and what else is said of each. */
export function ChannelList<Row extends ChannelRow>({ channels, about }: {
  readonly channels: readonly Row[];
  readonly about?: (channel: Row) => ComponentChildren;
}) {
  const now = useContext(Now);
  if (channels.length === 0) return null;
  return (
    <ul class="plain outlets">
      {channels.map((channel) => {
        const tone = channelTone(channel, now);
        return (
          <li key={channel.outlet} class="line apart">
            <Marked mark={[SIGNS[tone], tone]}>
              {channel.label}
              {channel.shown && ` (${channel.shown})`}
              {channel.waiting > 0 && `, ${formatCount(channel.waiting)} waiting`}
            </Marked>{" "}
            <span class="small">
              <ChannelState {...channel} />
            </span>
            {about?.(channel)}
          </li>
        );
      })}
    </ul>
  );
}

export function ChannelState({ sent, failingSince, waitingSince, givenUp }: ChannelRow) {
  const now = useContext(Now);
  const when = (at: number) => <When at={at} hasDistance />;
  if (failingSince !== null) return <>failing since {when(failingSince)}</>;
  if (waitingSince !== null && waitingSince > now) {
    return (
      <>
        held until <When at={waitingSince} />: quiet hours
      </>
    );
  }
  if (waitingSince !== null) return <>waiting since {when(waitingSince)}</>;
  if (givenUp !== null && givenUp > (sent ?? 0)) return <>failed {when(givenUp)}</>;
  return sent === null ? "nothing sent yet" : <>last sent {when(sent)}</>;
}

/** Who is notified, and where each message is. */
export function Notifications({ isNobody, children }: {
  readonly isNobody: boolean;
  /** The channels. */
  readonly children: ComponentChildren;
}) {
  return (
    <Section
      id="notified"
      title="Notifications"
      more={<a href="/incidents/deliveries">Deliveries</a>}
    >
      {isNobody && (
        <p class="help">
          Nobody is notified. <a href="/owners">Set up a channel</a>
        </p>
      )}
      {children}
    </Section>
  );
}
