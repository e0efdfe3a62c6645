/** Texts of any characters, for properties. */
import fc from "fast-check";

/** The halves of surrogate pairs: how many there are, and the first. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

/**
 * Any character. fast-check's own `unit: "binary"` makes a table of all million characters for each
 * text, which takes longer than most properties.
 */
const character = fc.integer({ min: 0, max: 0x10ffff - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES));

/** A text of up to `maxLength` characters: half of them have any, the others those of a keyboard. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ unit: character, maxLength }), fc.string({ maxLength }));
}
