import { Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import { type Trouble, TroubleNotice } from "../ui/notice.tsx";

/** What a page begins with: its title, the way back, its heading, and what went wrong. */
export function PageTop({ title, path, trouble, otherWays }: {
  readonly title: string;
  /** The way back to the pages above this one. */
  readonly path: ComponentChildren;
  readonly trouble: Trouble | null;
  /** What else can be done about the trouble: links. */
  readonly otherWays?: ComponentChildren;
}) {
  return (
    <>
      <Head>
        <title>{`${title} · Docket`}</title>
      </Head>
      {path}
      <h1>{title}</h1>
      {trouble && <PageTrouble trouble={trouble} otherWays={otherWays} />}
    </>
  );
}

/** What went wrong with a page, which can be tried again where that may help. */
export function PageTrouble({ trouble, otherWays }: {
  readonly trouble: Trouble;
  /** What else can be done: links. */
  readonly otherWays?: ComponentChildren;
}) {
  const { mayPass } = trouble;
  return (
    <TroubleNotice trouble={trouble}>
      {(mayPass || otherWays) && (
        <p>
          {mayPass && <a href="">Try again</a>}
          {mayPass && otherWays && " · "}
          {otherWays}
        </p>
      )}
    </TroubleNotice>
  );
}
