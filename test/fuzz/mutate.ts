/** In bytes. Quadratic time takes seconds at this length, linear time milliseconds. */
export const maxInputLength = 48 * 1024;

interface Material {
  readonly random: () => number;
  /** The words of the format. */
  readonly tokens: readonly Uint8Array[];
  /** Another input, whose parts are spliced in. */
  readonly other: Uint8Array;
}

type Mutation = (input: Uint8Array, material: Material) => Uint8Array;

const below = (random: () => number, end: number) => Math.floor(random() * end);

/** Most parts are short: whole lines and long runs of bytes are rare. */
function randomRange(length: number, random: () => number): [start: number, end: number] {
  const start = below(random, length + 1);
  return [start, Math.min(length, start + 1 + below(random, 2 ** (1 + below(random, 8))))];
}

function replaceRange(
  input: Uint8Array,
  start: number,
  end: number,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  return Buffer.concat([input.subarray(0, start), ...parts, input.subarray(end)]);
}

const withByte = (change: (byte: number, random: () => number) => number): Mutation => {
  return (input, { random }) => {
    const changed = Uint8Array.from(input);
    const at = below(random, input.length);
    if (input.length > 0) changed[at] = change(input[at] ?? 0, random);
    return changed;
  };
};

const pickToken = ({ random, tokens }: Material): Uint8Array =>
  tokens[below(random, tokens.length)] ?? Uint8Array.of(below(random, 256));

const mutations: readonly Mutation[] = [
  withByte((byte, random) => byte ^ (1 << below(random, 8))),
  withByte((_, random) => below(random, 256)),
  withByte((byte, random) => byte + (random() < 0.5 ? 1 : 255)),
  // Removes a part.
  (input, { random }) => replaceRange(input, ...randomRange(input.length, random)),
  // Inserts a word of the format, or puts it in the place of a part.
  (input, material) => {
    const [start, end] = randomRange(input.length, material.random);
    return replaceRange(input, start, material.random() < 0.5 ? start : end, pickToken(material));
  },
  (input, material) => {
    const at = below(material.random, input.length + 1);
    return replaceRange(input, at, at, pickToken(material));
  },
  // Inserts a part of another input.
  (input, { random, other }) => {
    const at = below(random, input.length + 1);
    return replaceRange(input, at, at, other.subarray(...randomRange(other.length, random)));
  },
  // Begins with one input and ends with another.
  (input, { random, other }) =>
    replaceRange(
      input,
      below(random, input.length + 1),
      input.length,
      other.subarray(below(random, other.length + 1)),
    ),
  // Moves a part.
  (input, { random }) => {
    const [start, end] = randomRange(input.length, random);
    const rest = replaceRange(input, start, end);
    const at = below(random, rest.length + 1);
    return replaceRange(rest, at, at, input.subarray(start, end));
  },
  // Repeats a part a few times.
  (input, { random }) => {
    const [start, end] = randomRange(input.length, random);
    const part = input.subarray(start, end);
    return replaceRange(input, end, end, ...Array.from({ length: 1 + below(random, 8) }, () => part));
  },
];

/** Repeats a part, or a word of the format, until the input is long. Finds quadratic time. */
const grow: Mutation = (input, material) => {
  const { random } = material;
  const [start, end] = randomRange(input.length, random);
  const part = random() < 0.5 ? pickToken(material) : input.subarray(start, end);
  if (part.length === 0) return input;
  const length = Math.min(2 ** (8 + below(random, 9)), maxInputLength) - input.length;
  const times = Math.max(0, Math.floor(length / part.length));
  return replaceRange(input, end, end, Buffer.alloc(times * part.length, part));
};

/** How many inputs of a thousand are long. They take most of the time. */
const longOnes = 10;

/** An input made from another by one to eight mutations. */
export function mutate(input: Uint8Array, material: Material): Uint8Array {
  const { random } = material;
  let mutated = input;
  for (let left = 2 ** below(random, 4); left > 0; left--)
    mutated = mutations[below(random, mutations.length)]?.(mutated, material) ?? mutated;
  if (random() * 1000 < longOnes) mutated = grow(mutated, material);
  return mutated.subarray(0, maxInputLength);
}
