import { measureDay } from "./observer/day.ts";
const t = performance.now();
console.log(
  JSON.stringify(await measureDay(Number(Deno.args[0]), Number(Deno.args[1]))),
  performance.now() - t,
);
