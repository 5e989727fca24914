/** The encodings of a body that is stored compressed, best first. */
const encodings = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof encodings)[number];

/**
 * Chooses an encoding by `Accept-Encoding` (RFC 9110, section 12.5.3): of those with the highest quality, the smallest. If the
 * client accepts none of them, it gets the body without an encoding.
 */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  const qualities = readQualities(accepted);
  let best: Encoding = 'identity';
  let bestQuality = 0;
  for (const encoding of encodings) {
    // Without being named, only the plain body is acceptable, and less so than what is named.
    const unnamed = qualities.get('*') ?? (encoding === 'identity' ? 0.0001 : 0);
    const quality = qualities.get(encoding) ?? unnamed;
    if (quality > bestQuality) [best, bestQuality] = [encoding, quality];
  }
  return best;
}

/** The members of a list with qualities, such as `de, en;q=0.8`, in lower case. A malformed quality is 0. */
export function readQualities(list: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const member of list.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    const weight = parameters.find((each) => /^q *=/.test(each));
    const quality = weight === undefined ? 1 : Number(/^q *= *([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0);
    if (name !== '') qualities.set(name, Math.min(quality, 1));
  }
  return qualities;
}
