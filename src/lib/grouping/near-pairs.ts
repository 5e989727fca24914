/** The number of texts after each one, in order, that it is compared with: more begin alike in a series. */
const maxFollowers = 1000;

/**
 * The pairs of texts that may be within one edit of each other (one insertion, deletion, replacement or swap of neighbours), by
 * their indexes; a pair may come twice. An edit leaves one half of a text as it is. So such texts are near each other in their
 * order, or in that of their reverses: no pairs elsewhere need to be compared.
 */
export function* nearPairs(texts: readonly string[]): Generator<readonly [number, number]> {
  for (const read of [(text: string) => text, reverse]) {
    const sorted = texts.map((text, index) => ({ text: read(text), index }));
    sorted.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
    for (const [i, { text, index }] of sorted.entries()) {
      const half = text.slice(0, Math.max(0, Math.floor(text.length / 2) - 1));
      for (let j = i + 1; j <= i + maxFollowers; j++) {
        const other = sorted[j];
        if (other?.text.startsWith(half) !== true) break;
        if (Math.abs(other.text.length - text.length) <= 1) yield [index, other.index];
      }
    }
  }
}

function reverse(text: string): string {
  let reversed = '';
  for (let i = text.length - 1; i >= 0; i--) reversed += text.charAt(i);
  return reversed;
}
