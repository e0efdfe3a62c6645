import { incidentHref } from "../../components/runs/run_links.tsx";
import { ActionForm } from "../../components/ui/form.tsx";
import { Outcome } from "../../components/ui/notices.tsx";
import { percentDecoded } from "../../lib/format.ts";
import { readNotice } from "../../server/http/cookies.ts";
import { noticeText } from "./_actions.ts";

/** What the request before this one did, and how to undo it. */
export function Notice({ headers }: { readonly headers: Headers }) {
  const code = readNotice(headers);
  const text = noticeText(code);
  if (text === "") return null;
  const [name, id = ""] = code.split(":");
  const undo = Object.hasOwn(UNDO, name) && id !== "" && UNDO[name];
  return (
    <Outcome>
      {text} {undo && (
        <ActionForm
          action={undo === "watch" ? "/schedules/watch" : incidentHref(percentDecoded(id) ?? "")}
          values={{ id }}
        >
          <button type="submit" class="quiet" name="action" value={undo}>Undo</button>
        </ActionForm>
      )}
    </Outcome>
  );
}

/** What undoes an action on the schedule or incident that its notice names. */
const UNDO: Readonly<Record<string, string>> = {
  unwatch: "watch",
  acknowledge: "unacknowledge",
  mute: "unmute",
};
