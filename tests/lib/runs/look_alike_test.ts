import { assertEquals } from "@std/assert";
import { canonicalDomain, resembledDomain } from "../../../lib/runs/look_alike.ts";

const KNOWN = ["example.com", "partner.example.net"];

Deno.test("resembledDomain: letters that look alike, one letter more, less or swapped, another ending", () => {
  const domains = ["examp1e.com", "exarnple.com", "еxample.com", "example.co"];
  for (const domain of [...domains, "example.com.login.test"]) {
    assertEquals(resembledDomain(domain, KNOWN), "example.com", domain);
  }
  // Names without a dot can be alike.
  assertEquals(resembledDomain("intranett", ["intranet"]), "intranet");
});

Deno.test("resembledDomain: a letter changed, added, missing or swapped, from four letters on", () => {
  for (const name of ["example", "abcd", "abc"]) {
    for (let at = 0; at < name.length; at++) {
      const [before, letter, after] = [name.slice(0, at), name[at], name.slice(at + 1)];
      const near = [`${before}q${after}`, `${before}q${letter}${after}`];
      if (name.length > 4) near.push(before + after);
      if (after) near.push(before + after[0] + letter + after.slice(1));
      for (const one of near) {
        const found = resembledDomain(`${one}.com`, [`${name}.com`]);
        assertEquals(found, name === "abc" ? undefined : `${name}.com`, one);
        assertEquals(resembledDomain(`${one}q.com`, [`${name}x.com`]), undefined, one);
      }
    }
  }
});

Deno.test("resembledDomain: other names look like none", () => {
  for (const domain of ["rival.test", "samples.org", "a.com"]) {
    assertEquals(resembledDomain(domain, KNOWN), undefined, domain);
  }
});

Deno.test("canonicalDomain: the same domain in punycode and in upper case is the same", () => {
  assertEquals(canonicalDomain("Bücher.example"), "xn--bcher-kva.example");
  assertEquals(canonicalDomain(" XN--BCHER-KVA.example "), "xn--bcher-kva.example");
  assertEquals(canonicalDomain("not a domain"), "not a domain");
});
