import { assert, assertEquals } from "@std/assert";
import { createSignInCodes } from "../../../server/auth/sign_in_codes.ts";

Deno.test("createSignInCodes: a code is good once", () => {
  const codes = createSignInCodes();
  const code = codes.issue();
  assertEquals(codes.redeem(code), true);
  assertEquals(codes.redeem(code), false);
});

Deno.test("createSignInCodes: of two that redeem at once, one succeeds", () => {
  const codes = createSignInCodes();
  const code = codes.issue();
  const results = [codes.redeem(code), codes.redeem(code)];
  assertEquals(results.toSorted(), [false, true]);
});

Deno.test("createSignInCodes: a wrong code is refused and leaves the right one valid", () => {
  const codes = createSignInCodes();
  const code = codes.issue();
  assertEquals(codes.redeem("wrong"), false);
  assertEquals(codes.redeem(""), false);
  assertEquals(codes.redeem(code), true);
});

Deno.test("createSignInCodes: a code is good for ten minutes", () => {
  let now = 0;
  const codes = createSignInCodes(() => now);
  const first = codes.issue();
  now = 10 * 60_000;
  assertEquals(codes.redeem(first), false);
  const second = codes.issue();
  now += 10 * 60_000 - 1;
  assertEquals(codes.redeem(second), true);
});

Deno.test("createSignInCodes: a new code voids the one before", () => {
  const codes = createSignInCodes();
  const first = codes.issue();
  assert(first !== codes.issue());
  assertEquals(codes.redeem(first), false);
});
