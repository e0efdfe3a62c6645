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

/** Cuts a text to a number of columns, and then adds an ellipsis. */
function fitTerminal(text: string, columns: number): string {
  if (terminalWidth(text) <= columns) return text;
  let beginning = "";
  let width = 1;
  for (const letter of letters(text)) {
    width += letterWidth(letter);
    if (width > columns) break;
    beginning += letter;
  }
  return `${beginning}…`;
}

/** Pads a text with spaces to a number of columns; `isRight` aligns it right. */
function padTerminal(text: string, columns: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, columns - terminalWidth(text)));
  return isRight ? space + text : text + space;
}

/** However long its cells are, no column is wider than this. */
const WIDEST = 100;

/** To fit a terminal, columns are not made narrower than this. */
const NARROWEST = 10;

const GAP = "  ";

/** Lays out a table based on some of its rows; with a `width`, lines that are wider are cut. */
export function layOutRows(
  rows: readonly (readonly string[])[],
  { width, isWhole = [], isRight = [] }: {
    readonly width?: number;
    /** Whether cells of each column must not be cut, such as numbers; the first row's may be. */
    readonly isWhole?: readonly boolean[];
    readonly isRight?: readonly boolean[];
  } = {},
) {
  const findWidest = (rows: readonly (readonly string[])[], column: number) =>
    Math.min(WIDEST, Math.max(1, ...rows.map((cells) => terminalWidth(cells[column]))));
  const wanted = rows[0].map((_, column) => findWidest(rows, column));
  const narrowest = wanted.map((wantedWidth, column) =>
    isWhole[column] ? findWidest(rows.slice(1), column) : Math.min(wantedWidth, NARROWEST)
  );
  const widths = width === undefined ? wanted : fitColumns(wanted, narrowest, width);
  const lineOf = (cells: readonly string[]) =>
    widths.map((columnWidth, column) => padTerminal(cells[column], columnWidth, isRight[column]))
      .join(GAP).trimEnd();
  // A later row that is wider may use the space that is left. If there was none, columns stay in line.
  const isNarrowed = widths.some((each, column) => each < wanted[column]);
  const fit = (cells: readonly string[]): readonly string[] =>
    width === undefined || !isNarrowed && terminalWidth(lineOf(cells)) <= width
      ? cells
      : widths.map((columnWidth, column) => fitTerminal(cells[column], columnWidth));
  return { widths, fit, lineOf };
}

/** Makes the widest columns narrower until all fit; leaves out the last ones if they can't. */
function fitColumns(
  wanted: readonly number[],
  narrowest: readonly number[],
  width: number,
): number[] {
  const lineWidth = (widths: readonly number[]) =>
    widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  let count = wanted.length;
  while (count > 1 && lineWidth(narrowest.slice(0, count)) > width) count--;
  const widths = wanted.slice(0, count);
  while (lineWidth(widths) > width) {
    const spare = widths.map((each, column) => each > narrowest[column] ? each : 0);
    const widest = Math.max(...spare);
    if (widest === 0) {
      // Even the first column alone is too wide.
      return [width];
    }
    widths[spare.indexOf(widest)]--;
  }
  return widths;
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
function nearestWord(typed: string, known: readonly string[]): string | undefined {
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
