import { assertEquals } from "@std/assert";
import { Chart, pointOf, round, seriesOf, SHAPES } from "../../../components/ui/chart.tsx";
import { TimeAxis, timeScale } from "../../../components/ui/time_axis.tsx";
import { htmlOf, linksOf, textsOf } from "../rendered.ts";

Deno.test("SHAPES: a dot, a cross and a diamond, each around its place", () => {
  assertEquals(SHAPES.good(10, 20), "M7.5 20a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z");
  assertEquals(
    SHAPES.bad(10, 20),
    "M6 17l1 -1l3 3l3 -3l1 1l-3 3l3 3l-1 1l-3 -3l-3 3l-1 -1l3 -3z",
  );
  assertEquals(SHAPES.neutral(10, 20), "M10 16.5l3.5 3.5l-3.5 3.5l-3.5 -3.5z");
  assertEquals([round(1.25), round(1.04)], [1.3, 1]);
});

Deno.test("Chart: has a name, a link to skip it, and a caption", () => {
  const html = htmlOf(
    <Chart
      id="durations"
      title="Duration"
      width={720}
      height={220}
      caption="400 runs."
      side={{ width: 68, labels: null }}
    >
      {pointOf({
        href: "/runs/1",
        label: "2026-01-31 failure",
        meaning: "bad",
        path: "M1 1z",
      })}
      {pointOf({
        href: "/runs/2",
        label: "2026-01-30 success",
        meaning: "good",
        path: "M2 2z",
      })}
      {seriesOf({ label: "Other runs", kind: "good dots", paths: ["M3 3h0", "M4 4h0"] })}
      {seriesOf({ label: "None", kind: "bad", paths: [] })}
    </Chart>,
  );
  assertEquals(textsOf(html, "h2"), ["Duration"]);
  assertEquals(textsOf(html, "figcaption"), ["400 runs."]);
  assertEquals(linksOf(html), {
    "Skip chart": "#durations-end",
    "2026-01-31 failure": "/runs/1",
    "2026-01-30 success": "/runs/2",
  });
  for (
    const part of [
      'viewBox="0 0 720 220"',
      'aria-labelledby="durations"',
      '<figcaption id="durations-end" tabindex="-1">',
      'class="bad"><title>2026-01-31',
      'class="good"><title>2026-01-30',
      '<path class="good dots" d="M3 3h0M4 4h0"><title>Other runs</title></path>',
    ]
  ) assertEquals([part, html.includes(part)], [part, true]);
  assertEquals(html.includes("None"), false);
});

Deno.test("TimeAxis: shows dates at the zone's midnights, unless they would be cut off", () => {
  const scale = timeScale(
    [Date.parse("2026-01-10T00:00Z"), Date.parse("2026-01-01T00:00Z")],
    50,
    410,
  );
  const labels = (zone: string) =>
    [
      ...htmlOf(
        <svg>
          <TimeAxis scale={scale} y={100} zone={zone} />
        </svg>,
      )
        .matchAll(
          /<path d="M(\S+) 100v4"><\/path><text x="(\S+)" y="116">(\S+)<\/text>/g,
        ),
    ]
      .map(([, at, x, day]) => `${at} ${x} ${day}`);
  assertEquals(labels("UTC"), [
    "50 86 2026-01-01",
    "130 130 2026-01-03",
    "210 210 2026-01-05",
    "290 290 2026-01-07",
    "370 370 2026-01-09",
  ]);
  assertEquals(labels("Europe/Berlin")[0], "128.3 128.3 2026-01-03");
  assertEquals(labels("Europe/Berlin").length, 4);
});

Deno.test("TimeAxis: dates without room for their text are left out", () => {
  const days = (first: string, last: string) => {
    const scale = timeScale([Date.parse(first), Date.parse(last)], 72, 636);
    const html = htmlOf(
      <svg>
        <TimeAxis scale={scale} y={194} zone="UTC" />
      </svg>,
    );
    return [...html.matchAll(/x="(\S+)" y="210">/g)].map(([, x]) => Number(x));
  };
  const places = days("2026-10-31T08:00Z", "2026-11-22T15:00Z");
  assertEquals(places.length > 4, true, String(places));
  for (const [at, x] of places.slice(1).entries()) {
    assertEquals(x - places[at] >= 70, true, String(places));
  }
});

Deno.test("Chart: draws the labels of rows separately, so that they can stay in sight", () => {
  const html = htmlOf(
    <Chart
      id="durations"
      title="Duration"
      width={720}
      height={220}
      caption=""
      side={{ width: 68, labels: <text x={66} y={20}>30 s</text> }}
    >
      <path d="M0 0" />
    </Chart>,
  );
  assertEquals(
    /<svg class="side" viewBox="0 0 68 220" [^>]*aria-hidden="true"><text[^>]*>30 s/.test(html),
    true,
  );
});
