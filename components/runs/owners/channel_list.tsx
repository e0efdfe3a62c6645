import { formatCount } from "../../../lib/format.ts";
import { When } from "../../ui/moment.tsx";

/** A channel or outlet, and its health; times are milliseconds since 1970. */
export interface ChannelRow {
  readonly outlet: string;
  readonly label: string;
  readonly shown?: string;
  readonly sent: number | null;
  readonly waiting: number;
  readonly failingSince: number | null;
  readonly waitingSince: number | null;
}

export function ChannelList({ channels, now, isShort = false }: {
  readonly channels: readonly ChannelRow[];
  readonly now: number;
  readonly isShort?: boolean;
}) {
  return (
    <ul class="plain outlets">
      {channels.map((channel) => (
        <li key={channel.outlet}>
          <span class={`status ${channel.failingSince === null ? "good" : "bad"}`}>
            <span aria-hidden="true">{channel.failingSince === null ? "✓" : "✕"}</span>{" "}
            {isShort ? channel.label.split(" ")[0] : channel.label}
            {!isShort && channel.shown && ` (${channel.shown})`}
            {channel.waiting > 0 && `, ${formatCount(channel.waiting)} waiting`}
          </span>{" "}
          <span class="help">
            <ChannelState channel={channel} now={now} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function ChannelState({ channel: { sent, failingSince, waitingSince }, now }: {
  readonly channel: ChannelRow;
  readonly now: number;
}) {
  const when = (at: number) => <When at={at} now={now} hasDistance />;
  if (failingSince !== null) return <>failing since {when(failingSince)}</>;
  if (waitingSince !== null && waitingSince > now) {
    return (
      <>
        held until <When at={waitingSince} now={now} />: quiet hours
      </>
    );
  }
  return sent === null ? "nothing sent yet" : <>last sent {when(sent)}</>;
}
