/** Watches a part of the year's schedules in its own process; prints the result as JSON. */
import { simulate } from "../../tests/server/observer/year.ts";

const [schedules, days, first] = Deno.args.map(Number);
console.log(JSON.stringify(await simulate(schedules, days, first)));
