import { assert, assertEquals } from "@std/assert";
import { createSignInCodes } from "../../../server/auth/sign_in_codes.ts";

Deno.test("createSignInCodes: a code is good once, for ten minutes, until there is another", () => {
  let now = 0;
  const codes = createSignInCodes(() => now);
  const code = codes.issue();
  assertEquals([codes.redeem("wrong"), codes.redeem("")], [false, false]);
  assertEquals([codes.redeem(code), codes.redeem(code)], [true, false]);
  const second = codes.issue();
  now += 10 * 60_000;
  assertEquals(codes.redeem(second), false);
  const third = codes.issue();
  assert(third !== codes.issue());
  assertEquals(codes.redeem(third), false);
  const last = codes.issue();
  now += 10 * 60_000 - 1;
  assertEquals(codes.redeem(last), true);
});
