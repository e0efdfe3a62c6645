import { assertEquals } from "@std/assert";
import { maskAddress, maskAddresses, maskRecipient } from "../../../lib/runs/recipients.ts";

Deno.test("maskAddress: the first letter and the domain, or nothing of what is no address", () => {
  const addresses = ["amara@example.com", "😀x@example.com", "a@b@example.com", "@x", "nobody", ""];
  const [ann, smile, ...others] = addresses.map(maskAddress);
  assertEquals([ann, smile], ["a…@example.com", "😀…@example.com"]);
  assertEquals(others, ["a…@example.com", "…", "…", "…"]);
});

Deno.test("maskRecipient: the address, and a name that has one; all else stays", () => {
  const ada = { runs: 3, displayName: "Ada", emailAddress: "ada@example.com" };
  assertEquals(maskRecipient(ada), { ...ada, emailAddress: "a…@example.com" });
  const unnamed = { displayName: "ada@example.com", emailAddress: null };
  assertEquals(maskRecipient(unnamed), { displayName: "a…@example.com", emailAddress: null });
});

Deno.test("maskAddresses: finds addresses wherever they stand in a text, and nothing else", () => {
  const cases = {
    "Mail to ann.lee+x@example.com failed": "Mail to a…@example.com failed",
    '{"to":"ann@mail.example.com"}': '{"to":"a…@mail.example.com"}',
    "<ann@example.com>,bob@example.org;": "<a…@example.com>,b…@example.org;",
    "mailto:ann@example.com?subject=x": "mailto:a…@example.com?subject=x",
    "https://x.example/?to=ann%40example.com&a=b": "https://x.example/?to=…&a=b",
    "postgres://user:secret@db.example.com/x": "postgres://user:s…@db.example.com/x",
    "Grüße an jörg@exämple.de.": "Grüße an j…@exämple.de.",
  };
  for (const [text, masked] of Object.entries(cases)) assertEquals(maskAddresses(text), masked);
  const others = [
    "at run (file:///srv/node_modules/.deno/pg@8.23.1/node_modules/pg/lib/client.js:5:17)",
    "npm:@scope/name@1.0.0-beta.2",
    "a @ b, @name, name@",
  ];
  assertEquals(others.map(maskAddresses), others);
});

Deno.test("maskAddresses: ends soon for long texts that resemble addresses", () => {
  for (const piece of ["a", "a@", "a.", "@a.", "%40"]) {
    const text = piece.repeat(50_000);
    assertEquals(maskAddresses(text).length > 0, true, piece);
  }
});
