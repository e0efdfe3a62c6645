import { GoField } from "../../../components/page/shell.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { Section } from "../../../components/ui/section.tsx";
import type { HandlerContext } from "fresh/types";
import { formatCountOf } from "../../../lib/format.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { loadPlaces } from "../../../server/pages/go.ts";
import type { ConsoleState } from "../_middleware.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  GET: (ctx) => show(ctx, ctx.url.searchParams),
  /** The form is sent by POST, so that no typed address gets into a URL. */
  POST: async (ctx) => show(ctx, await readFormBody(ctx.req)),
});

async function show(
  ctx: HandlerContext<Record<never, string>, ConsoleState>,
  params: URLSearchParams,
) {
  const data = await loadPlaces(ctx.state, params);
  return data.only ? ctx.redirect(data.only, 303) : { data };
}

export default page(({ data: { text, groups, more, isFound, searched } }) => {
  const first = groups[0]?.[1][0].href;
  return (
    <>
      <PageHeader title="Go to" />
      <form method="post" action="/go" role="search" class="row">
        <GoField text={text} isFocused={text === ""} />
        <button type="submit">Go</button>
      </form>
      {!isFound && <p role="status">No {searched} matches “{text}”.</p>}
      {groups.map(([group, places]) => (
        <Section key={group} id={`go-${group}`} title={group}>
          <ul class="plain places">
            {places.map(({ name, href, note }) => (
              <li key={href} class="line apart">
                <a href={href} autofocus={text !== "" && href === first}>{name}</a>{" "}
                {note && <span class="help">{note}</span>}
              </li>
            ))}
          </ul>
          {group === "Schedules" && more > 0 && (
            <p class="help">
              {formatCountOf(more, "more schedule matches", "more schedules match")}.{" "}
              {!text.includes("@") && (
                <a href={`/schedules?${new URLSearchParams({ q: text })}`}>Show all of them</a>
              )}
            </p>
          )}
        </Section>
      ))}
    </>
  );
});
