/** A multiplier of polynomial hashes, modulo 2^32. */
const base = 0x01000193;

/** A hash of a text in 32 bits. Texts with different seeds have unrelated hashes. */
export function hashText(text: string, seed = 0): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, base) + text.charCodeAt(i)) | 0;
  return mix(sum, seed);
}

/**
 * Visits the hashes of a text without one of its characters, for each character. Two texts within one edit of each other
 * share one of these hashes, or one of them is the hash of the other text (as in SymSpell).
 */
export function visitDeletions(text: string, seed: number, visit: (hash: number, at: number) => void): void {
  const { length } = text;
  let start = 0;
  let end = 0;
  let factor = 1;
  // The hash without character i is start(0..i) * base^(length-1-i) + end(i+1..length).
  const ends = new Int32Array(length);
  const factors = new Int32Array(length);
  for (let i = length - 1; i >= 0; i--) {
    ends[i] = end;
    factors[i] = factor;
    end = (end + Math.imul(text.charCodeAt(i), factor)) | 0;
    factor = Math.imul(factor, base);
  }
  for (let i = 0; i < length; i++) {
    // Deleting either of two equal neighbours gives the same text.
    if (text.charCodeAt(i) !== text.charCodeAt(i + 1))
      visit(mix((Math.imul(start, factors[i] ?? 0) + (ends[i] ?? 0)) | 0, seed), i);
    start = (Math.imul(start, base) + text.charCodeAt(i)) | 0;
  }
}

/** The finalizer of MurmurHash3. */
function mix(hash: number, seed: number): number {
  let mixed = hash ^ Math.imul(seed, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
