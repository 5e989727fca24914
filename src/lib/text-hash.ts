/** A multiplier of polynomial hashes, modulo 2^32. */
const base = 0x01000193;

/** A hash of a text in 32 bits. */
export function hashText(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, base) + text.charCodeAt(i)) | 0;
  return mix(sum);
}

/** The finalizer of MurmurHash3. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
