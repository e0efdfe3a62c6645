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
  const [action, path] = Object.hasOwn(UNDO, name) ? UNDO[name] : [];
  return (
    <Outcome>
      {text}{" "}
      {id !== "" && action && (
        <ActionForm action={path ?? incidentHref(percentDecoded(id) ?? "")} values={{ id }}>
          <button type="submit" class="quiet" name="action" value={action}>Undo</button>
        </ActionForm>
      )}
    </Outcome>
  );
}

/** What undoes an action on the schedule, incidents or incident that its notice names, and where. */
const UNDO: Readonly<Record<string, readonly [action: string, path?: string]>> = {
  unwatch: ["watch", "/schedules/watch"],
  "acknowledge-all": ["unacknowledge", "/incidents"],
  acknowledge: ["unacknowledge"],
  mute: ["unmute"],
};
