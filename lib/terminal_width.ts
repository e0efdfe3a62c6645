/** How much room a text takes on a terminal. */

/** Texts of these characters alone take one column a character. */
const PLAIN = /^[ -~\u00a0-\u02ff]*$/;

/** Letters of two columns: those of East Asia, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;

/** Accents and joiners that stand alone. */
const MARKS = /^[\p{M}\p{Cf}]+$/u;

/** The columns that a text takes on a terminal: two for a wide letter, none for an accent. */
export function terminalWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return letters(text).reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** The text if it takes at most that many columns, or else its beginning with an ellipsis. */
export function fitTerminal(text: string, columns: number): string {
  if (terminalWidth(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const letter of letters(text)) {
    width += widthOf(letter);
    if (width > columns) break;
    kept += letter;
  }
  return `${kept}…`;
}

/** The text with spaces after it, up to a width; before it for what is aligned right. */
export function padTerminal(text: string, columns: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, columns - terminalWidth(text)));
  return isRight ? space + text : text + space;
}

function letters(text: string): string[] {
  return Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
}

function widthOf(letter: string): number {
  return MARKS.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
}
