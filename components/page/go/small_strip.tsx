import type { StripDrawing } from "./entries.ts";

export function SmallStrip({ label, width, paths }: StripDrawing) {
  return (
    <svg
      class="small-strip"
      viewBox={`0 0 ${width} 14`}
      width={width}
      height={14}
      preserveAspectRatio="xMaxYMid slice"
      role="img"
      aria-label={label}
    >
      {paths.map(([tone, d]) => <path key={d} class={tone} d={d} />)}
    </svg>
  );
}
