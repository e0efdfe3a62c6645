import { Head } from "fresh/runtime";
import { type ComponentChildren, Fragment } from "preact";
import { useContext } from "preact/hooks";
import { renderToString } from "preact-render-to-string";
import { Refused } from "../ui/form.tsx";
import { type ErrorMessage, ErrorNotice, Outcome } from "../ui/notices.tsx";

export function PageHeader({ title, part, beside, trail = [], wrong, error, next }: {
  readonly title: string;
  /** Which of the pages with this heading it is, for the window's title. */
  readonly part?: string;
  /** What stands beside the title, such as a badge. */
  readonly beside?: ComponentChildren;
  /** The pages above it, and what the page itself is called there. */
  readonly trail?: readonly (readonly [href: string | null, name: string])[];
  /** Why what was just sent was not done, besides what its fields say. */
  readonly wrong?: string;
  readonly error?: ErrorMessage | null;
  /** Where to go from the error; by default to the page above. */
  readonly next?: ComponentChildren;
}) {
  const heading = <h1>{title}</h1>;
  const above = trail.findLast(([href]) => href !== null);
  const { issues: { person }, errors } = useContext(Refused);
  const [fault, ...lines] = wrong ? [wrong] : errors;
  return (
    <>
      <PageTitle title={part ? `${title}, ${part}` : title} />
      {trail.length > 0 && (
        <nav aria-label="Breadcrumbs" class="path help">
          {trail.map(([href, name], at) => (
            <Fragment key={href}>
              {at > 0 && " › "}
              {href === null ? name : <a href={href}>{name}</a>}
            </Fragment>
          ))}
        </nav>
      )}
      {beside ? <div class="line title">{heading}{beside}</div> : heading}
      {/* The field of the name has the focus. */}
      {person && <p class="notice bad" role="alert">{person}.</p>}
      {fault && (
        <Outcome isBad>
          {lines.length > 0 ? <p>{fault}</p> : fault}
          {lines.length > 0 && (
            <ul>{lines.map((line) => <li key={line} class="capital">{line}</li>)}</ul>
          )}
        </Outcome>
      )}
      {error && (
        <ErrorNotice
          error={error}
          actions={next ?? (above && <a href={above[0]!}>Back to {above[1]}</a>)}
        />
      )}
    </>
  );
}

/**
 * Puts the title into the document's head. Rendered separately, because the `Provider` that Fresh's
 * `Head` uses would keep the whole page in memory (see `Provided`).
 */
export function PageTitle({ title }: { readonly title: string }) {
  renderToString(
    <Head>
      <title>{`${title} · Docket`}</title>
    </Head>,
  );
  return null;
}
