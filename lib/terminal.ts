/** Prepares texts for a terminal, and suggests known words for mistyped ones. */

/** Line breaks, and characters that control a terminal or the direction of its text. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text on one line that is safe to print on a terminal. */
export function terminalText(text: string): string {
  return text.replace(CONTROLS, "\ufffd");
}

/** Characters that change the direction of the text after them, so that it reads differently. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text that is always displayed in the order of its characters. */
export function withoutDirections(text: string): string {
  return text.replace(DIRECTIONS, "\ufffd");
}

/** Each of these characters takes one column. */
const PLAIN = /^[ -~\u00a0-\u02ff]*$/;

/** Letters that take two columns: East Asian ones, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;

/** Accents and joiners by themselves. */
const MARKS = /^[\p{M}\p{Cf}]+$/u;

/** The columns that a text takes on a terminal: two for a wide letter, none for an accent. */
export function terminalWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return letters(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
}

/** Pads a text with spaces to a number of columns; `isRight` aligns it right. */
function padTerminal(text: string, columns: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, columns - terminalWidth(text)));
  return isRight ? space + text : text + space;
}

/** However long its cells are, no column is wider than this. */
const WIDEST = 100;

/** Returns a function that writes rows of a table as wide as these are; `isRight` aligns numbers. */
export function layOutRows(
  rows: readonly (readonly string[])[],
  isRight: readonly boolean[] = [],
): (cells: readonly string[]) => string {
  const widths = rows[0].map((_, column) =>
    Math.min(WIDEST, Math.max(...rows.map((cells) => terminalWidth(cells[column]))))
  );
  return (cells) =>
    widths.map((width, column) => padTerminal(cells[column], width, isRight[column]))
      .join("  ").trimEnd();
}

function letters(text: string): string[] {
  return Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
}

function letterWidth(letter: string): number {
  return MARKS.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
}

/** A hint with the nearest known word, such as ` (did you mean "limit"?)`, or an empty text. */
export function suggestion(typed: string, known: readonly string[]): string {
  const nearest = nearestWord(typed, known);
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}

/** The known word nearest to a typed one; undefined if none is near. */
export function nearestWord(typed: string, known: readonly string[]): string | undefined {
  const distances = known.map((word) =>
    [editDistance(typed.toLowerCase(), word.toLowerCase()), word] as const
  );
  const [nearest] = distances.sort(([a], [b]) => a - b);
  // If more than a third of the letters differ, it is another word.
  const isNear = nearest && nearest[0] <= Math.max(1, Math.floor(typed.length / 3));
  return isNear ? nearest[1] : undefined;
}

/** How many letters have to be inserted, removed, changed, or swapped with the next one. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2] + 1 : Infinity;
      next.push(Math.min(changed, swapped, row[j] + 1, next[j - 1] + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
