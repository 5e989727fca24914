import { Buffer } from 'node:buffer';
import process from 'node:process';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { FileError } from '../../src/formats/problems.ts';
import { maxInputLength } from './mutate.ts';
import type { Target } from './targets.ts';

/** The processor time to read an input once, in milliseconds. Unlike time, it does not depend on other programs. */
export const maxReadMs = 2000;

/** An input breaks a rule that holds for every input. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

/**
 * Reads an input, and checks what holds for every one:
 *
 * - The only errors are those of the types `ShelflistError`, `FileError` and, of settings, `ConfigError`.
 * - It takes at most `maxMs` of processor time. Whoever calls this ends an input that never ends.
 * - A second run has the same result, and so has one in which it arrives in other pieces.
 * - A reader that stops early closes its source, and an error of the source ends the reading.
 *
 * @throws {BrokenRule} Its message says which rule.
 */
export async function check(target: Target, bytes: Uint8Array, maxMs = maxReadMs): Promise<void> {
  const whole = maxInputLength;
  const other = target.dependsOnPieces === true ? whole : (pieceLengths[bytes.length % pieceLengths.length] ?? 1);
  const begun = processorMs();
  const first = await observe(target, bytes, whole);
  const took = processorMs() - begun;
  if (took > maxMs) throw new BrokenRule(`it takes ${Math.round(took)} ms`);
  const second = await observe(target, bytes, other);
  if (first !== second) throw new BrokenRule(`${shorten(first)} becomes ${shorten(second)} in pieces of ${other} bytes`);
  await observe(target, bytes.subarray(0, bytes.length / 2), whole, new ShelflistError('unreachable', { message: 'aborted' }));
} // prettier-ignore

/** The processor time of this process so far. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** In bytes. */
const pieceLengths = [1, 7, 1000];
/** Of pieces. A file that arrives byte by byte takes a thousand times as long, which is no fault. */
const maxPieces = 512;

/**
 * What an input is, or the error that refuses it.
 *
 * @param abort What the source throws in the end, as that of a command does after an interrupt.
 * @throws {BrokenRule} Another error, or a source that stays open.
 */
async function observe(target: Target, bytes: Uint8Array, pieceLength: number, abort?: ShelflistError): Promise<string> {
  const open = new Set<object>();
  async function* inPieces(all: Uint8Array): AsyncGenerator<Uint8Array> {
    const source = {};
    open.add(source);
    try {
      const length = Math.max(pieceLength, Math.ceil(all.length / maxPieces));
      for (let at = 0; at < all.length; at += length) yield await Promise.resolve(all.subarray(at, at + length));
      if (abort !== undefined) throw abort;
    } finally {
      open.delete(source);
    }
  }
  let result: string;
  try {
    result = JSON.stringify([await target.read(bytes, inPieces)]);
  } catch (error) {
    if (!(error instanceof ShelflistError) && !(error instanceof FileError) && !(error instanceof ConfigError))
      throw new BrokenRule(`it throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    result = `${error instanceof FileError ? error.problem.code : error.code}: ${error.message}`;
  }
  if (open.size > 0) throw new BrokenRule('it leaves its source open');
  return result;
} // prettier-ignore

function shorten(text: string): string {
  return Buffer.from(text.slice(0, 300)).toString();
}
