import { assertEquals } from "@std/assert";
import { PageError } from "../../../components/page/page_header.tsx";
import { ErrorNotice } from "../../../components/ui/error_notice.tsx";
import { htmlOf, linksOf, textOf } from "../rendered.ts";

const error = { title: "The service failed", detail: "It responded with status 503.", issues: [] };

Deno.test("ErrorNotice: title, detail, issues, excerpt and request", () => {
  assertEquals(
    textOf(htmlOf(
      <ErrorNotice
        error={{ ...error, issues: ["limit: too large"], excerpt: "<h1>", requestId: "r-1" }}
      />,
    )),
    "| The service failed | It responded with status 503. | limit: too large | " +
      "Response from the service<h1> | Request r-1 |",
  );
  assertEquals(
    textOf(htmlOf(<ErrorNotice error={error} />)),
    "| The service failed | It responded with status 503. |",
  );
});

Deno.test("ErrorNotice: offers to sign in again after the session has ended", () => {
  const html = htmlOf(<ErrorNotice error={{ ...error, needsSignIn: true }} />);
  assertEquals(linksOf(html), { "Sign in again": "" });
});

Deno.test("ErrorNotice: says when scripts try again, unless that is more than an hour later", () => {
  const delay = (retryAfterSeconds?: number) =>
    /data-retry-after="(\d+)"/.exec(
      htmlOf(<ErrorNotice error={{ ...error, retryAfterSeconds }} />),
    )?.[1];
  assertEquals([delay(7), delay(3600), delay(3601), delay(0), delay()], [
    ...["7", "3600", undefined, undefined, undefined],
  ]);
});

Deno.test("PageError: offers another attempt only where it may succeed", () => {
  const actions = <a href="/schedules">Another schedule</a>;
  const said = (mayRetry: boolean, links?: typeof actions) =>
    textOf(htmlOf(<PageError error={{ ...error, mayRetry }} actions={links} />))
      .replace("| The service failed | It responded with status 503. |", "").trim();
  assertEquals([said(false), said(true), said(false, actions)], [
    "",
    "Try again |",
    "Another schedule |",
  ]);
  assertEquals(linksOf(htmlOf(<PageError error={error} />)), {});
  assertEquals(linksOf(htmlOf(<PageError error={{ ...error, mayRetry: true }} />)), {
    "Try again": "",
  });
  assertEquals(
    textOf(htmlOf(<PageError error={{ ...error, mayRetry: true }} actions={actions} />)),
    "| The service failed | It responded with status 503. | Try again · Another schedule |",
  );
  assertEquals(linksOf(htmlOf(<PageError error={error} actions={actions} />)), {
    "Another schedule": "/schedules",
  });
});
