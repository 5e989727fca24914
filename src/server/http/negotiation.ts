import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { quote } from './preconditions.ts';
import type { Headers } from './reply.ts';

/** The encodings of a body that is stored compressed, best first. */
const encodings = ['br', 'gzip', 'identity'] as const;

type Encoding = (typeof encodings)[number];

/** A constant body in each encoding. */
export type Bodies = Readonly<Record<Encoding, Uint8Array>>;

export async function compress(text: string): Promise<Bodies> {
  const identity = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  return { br, gzip: gzipped, identity };
}

/** Compresses a text for one client: faster and a little larger than {@link compress}. */
export async function compressOnce(text: string, encoding: Encoding): Promise<Uint8Array> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  if (encoding === 'br') return promisify(brotliCompress)(text, { params });
  return encoding === 'gzip' ? promisify(gzip)(text) : Buffer.from(text);
}

/** The body in the encoding that the client accepts, and its headers. */
export function encoded(bodies: Bodies, accepted: string | undefined) {
  const encoding = chooseEncoding(accepted);
  return { body: bodies[encoding], encoding, headers: encodingHeaders(encoding) };
}

export function encodingHeaders(encoding: Encoding): Headers {
  return encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
}

/** The tag of a body whose hash is that of its text: each encoding has its own. */
export function tagOf(hash: string, encoding: Encoding): string {
  return quote(encoding === 'identity' ? hash : `${hash}-${encoding}`);
}

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
    // An encoding that is not listed is not acceptable; the plain body is, at the lowest quality.
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

/**
 * Chooses among media types by `Accept` (RFC 9110, section 12.5.1). Only a type that is named is chosen, and only if nothing
 * prefers JSON to it: a wildcard, and anything that is not available, means JSON.
 *
 * @param types In lower case, without parameters.
 * @returns `undefined` for JSON.
 */
export function acceptedType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  if (accept === undefined || !types.some((type) => accept.toLowerCase().includes(type))) return undefined;
  const ranges = readQualities(accept);
  const json = ranges.get('application/json');
  const weightOfJson = json ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;
  let best: { type: Type; weight: number } | undefined;
  for (const type of types) {
    const weight = ranges.get(type) ?? 0;
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  if (best === undefined || best.weight < weightOfJson) return undefined;
  return best.weight === json ? undefined : best.type;
}
