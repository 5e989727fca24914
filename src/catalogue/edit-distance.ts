/** How a typed word differs from another one. */
export interface Difference {
  /** The fewest errors between them: a character inserted, left out or replaced, or two neighbours swapped. */
  readonly errors: number;
  /** The number of characters of the other word that were typed: all of them, unless only its beginning was. */
  readonly length: number;
}

/** Longer words are not compared: rows of this length serve all comparisons. */
const maxLength = 128;
/** Stands for any number of errors above the limit. */
const tooMany = 255;
/** The rows of the table of distances: that of the current character, and those of the two before it. */
const rows = /* @__PURE__ */ [0, 1, 2].map(() => new Uint8Array(maxLength + 2)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/**
 * Compares a typed word with another one by optimal string alignment, in the diagonal band of at most `most` errors.
 *
 * @param typed The code points of the typed word.
 * @param mayEnd Whether only the beginning of the other word may have been typed. Of equally near ones, the whole word is chosen,
 * then the longest beginning.
 * @returns `undefined`: there are more than `most` errors.
 */
export function differenceOf(
  typed: readonly number[],
  other: readonly number[],
  most: number,
  mayEnd = false,
): Difference | undefined {
  const [m, n] = [typed.length, other.length];
  if (m > maxLength || n > maxLength || n < m - most || (n > m + most && !mayEnd)) return undefined;
  let [row, above, before] = rows;
  for (let j = 0; j <= most; j++) row[j] = j;
  row[most + 1] = tooMany;
  for (let i = 1; i <= m; i++) {
    [row, above, before] = [before, row, above];
    const [from, to] = [Math.max(1, i - most), Math.min(n, i + most)];
    row[from - 1] = from === 1 ? i : tooMany;
    let least = row[from - 1] ?? tooMany;
    for (let j = from; j <= to; j++) {
      const isSame = typed[i - 1] === other[j - 1];
      let errors = (above[j - 1] ?? tooMany) + (isSame ? 0 : 1);
      errors = Math.min(errors, (above[j] ?? tooMany) + 1, (row[j - 1] ?? tooMany) + 1);
      if (i > 1 && j > 1 && typed[i - 1] === other[j - 2] && typed[i - 2] === other[j - 1])
        errors = Math.min(errors, (before[j - 2] ?? tooMany) + 1);
      row[j] = Math.min(errors, tooMany);
      least = Math.min(least, errors);
    }
    row[to + 1] = tooMany;
    if (least > most) return undefined;
  }
  return nearest(row, m, n, most, mayEnd);
}

function nearest(
  row: Uint8Array,
  m: number,
  n: number,
  most: number,
  mayEnd: boolean,
): Difference | undefined {
  let found: Difference | undefined;
  // From the longest beginning to the shortest: another one must be nearer.
  for (let j = Math.min(n, m + most); j >= Math.max(1, mayEnd ? m - most : n); j--) {
    const errors = row[j] ?? tooMany;
    if (errors <= most && errors < (found?.errors ?? tooMany)) found = { errors, length: j };
  }
  return found;
}

/** The code points of a text. */
export function codePointsOf(text: string): number[] {
  const codePoints: number[] = [];
  for (let i = 0; i < text.length;) {
    const codePoint = text.codePointAt(i) ?? 0;
    codePoints.push(codePoint);
    i += codePoint > 0xffff ? 2 : 1;
  }
  return codePoints;
}
