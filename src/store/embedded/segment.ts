/**
 * The index is kept in segments of so many ids: what is written at one time lies in one place of the file, and a set
 * of a segment's books is a small bitmap.
 */
const size = 4096;

/** The number of the segment that an id belongs to. */
export function segmentOf(id: number): number {
  return Math.floor(id / size);
}

/** Ids of one segment, ascending, in two bytes each. */
export function encodeIds(ids: Iterable<number>): Buffer {
  return Buffer.from(Uint16Array.from(ids, (id) => id % size).buffer);
}

/** What {@link encodeIds} has written. */
export function decodeIds(segment: number, bytes: Uint8Array): number[] {
  const ids: number[] = [];
  for (let i = 0; i + 1 < bytes.length; i += 2)
    ids.push(segment * size + (((bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8)) % size));
  return ids;
}

/** What {@link encodeIds} has written, with some ids more and some less; `undefined` when none is left. */
export function changeIds(
  segment: number,
  bytes: Buffer | undefined,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Buffer | undefined {
  // Nearly always ids rise, and what is new comes behind.
  const last = bytes === undefined || bytes.length < 2 ? -1 : bytes.readUInt16LE(bytes.length - 2);
  if (removed.length === 0 && isRising(added) && (added[0] ?? 0) % size > last) {
    const end = encodeIds(added);
    return bytes === undefined ? end : Buffer.concat([bytes, end]);
  }
  const ids = new Set(bytes === undefined ? [] : decodeIds(segment, bytes));
  for (const id of removed) ids.delete(id);
  for (const id of added) ids.add(id);
  return ids.size === 0 ? undefined : encodeIds([...ids].sort((a, b) => a - b));
}

function isRising(ids: readonly number[]): boolean {
  return ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0));
}

/** Some books of one segment. */
export class BookSet {
  readonly #segment: number;
  readonly #bits = new Uint32Array(size / 32);

  constructor(segment: number) {
    this.#segment = segment;
  }

  add(id: number): void {
    const offset = id % size;
    this.#bits[offset >>> 5] = this.#word(offset >>> 5) | (1 << (offset & 31));
  }

  remove(id: number): void {
    const offset = id % size;
    this.#bits[offset >>> 5] = this.#word(offset >>> 5) & ~(1 << (offset & 31));
  }

  /** Takes in those of the other set. */
  unite(other: BookSet): void {
    for (let i = 0; i < this.#bits.length; i++) this.#bits[i] = this.#word(i) | other.#word(i);
  }

  /** Keeps those only that are in the other set as well. */
  intersect(other: BookSet): void {
    for (let i = 0; i < this.#bits.length; i++) this.#bits[i] = this.#word(i) & other.#word(i);
  }

  get isEmpty(): boolean {
    return this.#bits.every((bits) => bits === 0);
  }

  /** Ascending. */
  get ids(): number[] {
    const ids: number[] = [];
    this.#bits.forEach((word, i) => {
      for (let bits = word; bits !== 0; bits &= bits - 1)
        ids.push(this.#segment * size + i * 32 + 31 - Math.clz32(bits & -bits));
    });
    return ids;
  }

  #word(i: number): number {
    return this.#bits[i] ?? 0;
  }
}
