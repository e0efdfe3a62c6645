import { ActionForm } from "../../components/ui/action_form.tsx";
import { readNotice } from "../../server/http/cookies.ts";
import { readScheduleId } from "../../server/http/request_query.ts";
import { noticeText } from "./_actions.ts";

/** What the request before this one did, and how to undo it. */
export function Notice({ headers, pathname }: {
  readonly headers: Headers;
  readonly pathname: string;
}) {
  const code = readNotice(headers);
  const unwatched = readScheduleId(/^unwatched-(\d+)$/.exec(code)?.[1] ?? "");
  const notice = noticeText(code);
  return (
    <>
      {unwatched !== null && (
        <ActionForm
          action="/schedules/watch"
          class="notice warning"
          role="status"
          values={{ next: pathname, id: unwatched }}
        >
          Schedule {unwatched} is no longer watched, and its open incidents are resolved.{" "}
          <button type="submit" class="quiet" name="action" value="watch">Undo</button>
        </ActionForm>
      )}
      {notice && <p class="notice" role="status">{notice}</p>}
    </>
  );
}
