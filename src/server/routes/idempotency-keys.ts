import { createHash, type Hash } from 'node:crypto';
import type { Login } from '../../auth/credentials.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { User } from '../../catalogue/user.ts';
import type { IdempotencyKey } from '../../store/contract/store.ts';
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
  keyOf(chunk: number): IdempotencyKey;
}

/** The header of a response that repeats an earlier one. */
export const replayed = { headers: { 'Idempotency-Replayed': 'true' } } as const;

/** The requests with an `Idempotency-Key` that are in flight: one with each key at a time. */
export class IdempotencyKeys {
  readonly #login: Readonly<Login>;
  readonly #inFlight = new Set<string>();

  /** @param login The one accepted login: its tokens share a namespace of keys with tokens that name no user. */
  constructor(login: Readonly<Login>) {
    this.#login = login;
  }

  /**
   * Handles a request that may have a key.
   *
   * @param path The path of its route: the same key cannot be used for another.
   * @throws {ShelflistError} `invalid_query`: the key is malformed; `request_in_progress`; and as `handle` does.
   */
  async run(
    { idempotencyKey, user, mediaType }: Pick<Call, 'idempotencyKey' | 'user' | 'mediaType'>,
    path: string,
    handle: (request: RepeatableRequest | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    if (idempotencyKey === undefined) return handle(undefined);
    const owner = this.#ownerOf(user);
    const name = JSON.stringify([owner, idempotencyKey]);
    if (this.#inFlight.has(name)) throw new ShelflistError('request_in_progress');
    this.#inFlight.add(name);
    const hash = createHash('sha256').update(`${path}\0`);
    let content: string | undefined;
    try {
      return await handle({
        hash,
        keyOf: (chunk) => {
          content ??= hash.digest('base64url');
          const digest = mediaType === 'application/json' ? content : digestOf(`${mediaType}\0${content}`);
          // A digest, so that no key of a client equals that of a chunk or of another user.
          const key = digestOf(JSON.stringify([owner, idempotencyKey, chunk]));
          const former = { keys: this.#formerKeys(owner, idempotencyKey, chunk), digest: content };
          return { key, digest, former };
        },
      });
    } finally {
      this.#inFlight.delete(name);
    }
  }

  /**
   * The namespace of a user's keys: a user must not get the ids of another one who chose the same key. A token of the
   * login loses its name at the next password change, and a repeat may have a token of another issuer.
   */
  #ownerOf(user: User | undefined): string {
    return user === undefined || user.name === this.#login.username ? '' : user.name;
  }

  /**
   * The keys of earlier builds: a request that was sent before an update may be repeated after it. Their digests did not contain
   * the media type.
   */
  #formerKeys(owner: string, key: string, chunk: number): string[] {
    const keys =
      owner === '' ? [key, digestOf(`${this.#login.username}\0${key}`)] : [digestOf(`${owner}\0${key}`)];
    return keys.map((each) => (chunk === 0 ? each : `${each}#${chunk}`));
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
