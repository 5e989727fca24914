import { createHash, type Hash } from 'node:crypto';
import { ShelflistError, type WireErrorCode } from '../../catalogue/errors.ts';
import type { RepeatKey } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';

/** A request with an `Idempotency-Key`. */
export interface RepeatableRequest {
  /** Receives the bytes of the body. */
  readonly hash: Hash;
  /**
   * The key of a chunk of the request, for the store. The body has been read.
   *
   * @param chunk The number of the chunk, from 0.
   */
  keyOf(chunk: number): RepeatKey;
}

/** The errors of requests that may have a key. */
export const repeatErrors: readonly WireErrorCode[] = [
  'invalid_input',
  'invalid_query',
  'request_in_progress',
  'key_reused',
  'unavailable',
];

/** The header of a response that repeats an earlier one. */
export const replayed = { headers: { 'Idempotency-Replayed': 'true' } } as const;

/** The requests with an `Idempotency-Key` that are in flight: one with each key at a time. */
export class Repeats {
  readonly #inFlight = new Set<string>();

  /**
   * Handles a request that may have a key.
   *
   * @param path The path of its route: the same key cannot be used for another.
   * @throws {ShelflistError} `invalid_query`: the key is malformed; `request_in_progress`; and as `handle` does.
   */
  async run(
    { idempotencyKey, user }: Pick<Call, 'idempotencyKey' | 'user'>,
    path: string,
    handle: (request: RepeatableRequest | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    if (idempotencyKey === undefined) return handle(undefined);
    // A user must not get the ids of another one, who has chosen the same key.
    const key = user === undefined ? idempotencyKey : digestOf(`${user.name}\0${idempotencyKey}`);
    if (this.#inFlight.has(key)) throw new ShelflistError('request_in_progress');
    this.#inFlight.add(key);
    const hash = createHash('sha256').update(`${path}\0`);
    let digest: string | undefined;
    try {
      return await handle({
        hash,
        keyOf(chunk) {
          digest ??= hash.digest('base64url');
          return { key: chunk === 0 ? key : `${key}#${chunk}`, digest };
        },
      });
    } finally {
      this.#inFlight.delete(key);
    }
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
