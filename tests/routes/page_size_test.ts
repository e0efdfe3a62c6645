import { assert, assertEquals } from "@std/assert";
import { ORIGIN, sessionCookie, withApp } from "../app.ts";
import { answering, withUpstream } from "../upstream.ts";

const LONG = "x".repeat(100_000);

/** Pages of an upstream that answers with this first page, and nothing after it. */
function withPagesOf(
  first: unknown,
  test: (page: (path: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  return withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl }, async (app) => {
      upstream.behave((asked, connection) =>
        answering(200, {}, /skip=[1-9]/.test(asked.path) ? "[]" : JSON.stringify(first))(
          asked,
          connection,
        )
      );
      const cookie = await sessionCookie(app, ORIGIN);
      await test(async (path) => {
        const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
        const text = await response.text();
        assertEquals(response.status, 200, path);
        return text;
      });
    })
  );
}

Deno.test("[e2e] pages: 100 file sets are at most 90 KB, a schedule 80", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    for (
      const [path, most, part] of [
        ["/filesets?limit=100", 90, 'class="facets"'],
        ["/schedules/102", 80, "<h1"],
      ] as const
    ) {
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
      const html = await response.text();
      const size = new TextEncoder().encode(html).length;
      assert(html.includes(part), path);
      assert(size <= most * 1000, `${path}: ${size} bytes, more than ${most} KB`);
      if (most === 90) assertEquals(html.match(/<th scope="row">/g)?.length, 100);
    }
  }));

Deno.test("[e2e] pages: a long search is not repeated many times on a page", () =>
  withApp({}, async (app) => {
    const cookie = await sessionCookie(app, ORIGIN);
    const conditions = (start: string) =>
      Array.from({ length: 50 }, (_, at) => `-${start}:~${"x".repeat(120)}${at}`).join("+");
    for (
      const path of [
        `/filesets?q=${"-".repeat(7000)}`,
        `/filesets/facets?q=${"-".repeat(7000)}`,
        `/filesets?q=${conditions("name")}`,
        `/schedules/101?q=${conditions("report")}`,
      ]
    ) {
      const response = await app.fetch(new Request(ORIGIN + path, { headers: { cookie } }));
      const { length } = await response.text();
      assertEquals(response.status, 200, path);
      assert(length < 330_000, `${path.slice(0, 50)}: ${length} bytes`);
    }
  }));

Deno.test("[e2e] pages: however long an upstream's texts are, a page of file sets stays small", () => {
  const fileSets = Array.from({ length: 100 }, (_, at) => ({
    id: `id-${at}`,
    name: LONG,
    description: LONG,
    owner: LONG,
  }));
  const answer = { fileSets, pageContext: { offset: 0, limit: 100, total: 100, next: LONG } };
  return withPagesOf(answer, async (page) => {
    for (const path of ["/filesets", "/filesets?new-field=owner", "/filesets?open=id-1"]) {
      const text = await page(path);
      assert(text.includes(`${"x".repeat(1000)}…`) && !text.includes("x".repeat(1001)), path);
      assert(text.length < 2_000_000, `${path}: ${text.length}`);
    }
  });
});

Deno.test("[e2e] pages: however many recipients a run has, its page lists a thousand", () => {
  const recipients = Array.from({ length: 20_000 }, (_, at) => ({
    userId: at,
    displayName: `Person ${at}`,
    emailAddress: `person${at}@example${at}.com`,
  }));
  const runs = [2, 1].map((id) => ({
    id,
    status: "success",
    reportTitle: LONG,
    startTime: `2026-01-0${id}T00:00:00Z`,
    endTime: `2026-01-0${id}T01:00:00Z`,
    recipients: id === 2 ? recipients : [],
  }));
  return withPagesOf(runs, async (page) => {
    for (const path of ["", "/runs/2", "/plan"]) {
      const text = await page(`/schedules/7${path}`);
      assert(text.length < 2_500_000, `${path}: ${text.length}`);
      if (path === "/runs/2") assert(/Only the first (<!-- -->)?1,?.?000/.test(text), path);
    }
  });
});
