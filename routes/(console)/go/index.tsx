import { GoField } from "../../../components/page/shell.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { Section } from "../../../components/ui/section.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { loadPlaces } from "../../../server/pages/go.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const data = await loadPlaces(ctx.state, ctx.url.searchParams);
    return data.only ? ctx.redirect(data.only, 303) : { data };
  },
});

export default page(({ data: { text, groups, more, isFound, searched } }) => {
  const first = groups[0]?.[1][0].href;
  return (
    <>
      <PageHeader title="Go to" />
      <form action="/go" role="search" class="row">
        <GoField text={text} isFocused={text === ""} />
        <button type="submit">Go</button>
      </form>
      {!isFound && (
        <p role="status">
          {text.includes("@")
            ? (
              <>
                An address is found on <a href="/people">People</a> alone.
              </>
            )
            : `No ${searched} matches “${text}”.`}
        </p>
      )}
      {groups.map(([group, places]) => (
        <Section key={group} id={`go-${group}`} title={group}>
          <ul class="plain places">
            {places.map(({ name, href, note }) => (
              <li key={href} class="line">
                <a href={href} autofocus={text !== "" && href === first}>{name}</a>{" "}
                {note && <span class="help">{note}</span>}
              </li>
            ))}
          </ul>
          {group === "Schedules" && more > 0 && (
            <p class="help">
              {formatCountOf(more, "more schedule matches", "more schedules match")}.{" "}
              <a href={`/schedules?${new URLSearchParams({ q: text })}`}>Show all of them</a>
            </p>
          )}
        </Section>
      ))}
    </>
  );
});
