import { assertEquals } from "@std/assert";
import { TimeAxis, timeScale } from "../../../components/ui/time_axis.tsx";
import { htmlOf } from "../rendered.ts";

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
