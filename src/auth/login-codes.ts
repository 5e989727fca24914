import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ShelflistError } from '../catalogue/errors.ts';

/** How long a code can be exchanged, in milliseconds. */
export const codeLifetimeMs = 60_000;

/** The maximum number of codes that are kept at once; the oldest one makes room for a new one. */
const maxCodes = 100;

/** Codes that stand for tokens: each gives its token once, within a minute. */
export interface LoginCodes {
  /** Returns a new code for a token. */
  create(token: string): string | Promise<string>;
  /** Returns the token of a code, and forgets both; `undefined` if there is none any more. */
  take(code: string): string | undefined | Promise<string | undefined>;
}

interface KeptCode {
  readonly hash: Buffer;
  readonly token: string;
  readonly expiresMs: number;
}

/**
 * Keeps codes in memory. They are random, not signed: only their keeper knows which were used, no other service with the same secret
 * accepts them, and a restart ends them. The processes of one service share one keeper.
 *
 * @param now A clock in milliseconds that does not jump.
 */
export function createLoginCodes(now = () => performance.now()) {
  let kept: readonly KeptCode[] = [];
  return {
    create(token: string): string {
      const code = randomBytes(24).toString('base64url');
      const newest = kept.slice(1 - maxCodes);
      kept = [...newest, { hash: hashOf(code), token, expiresMs: now() + codeLifetimeMs }];
      return code;
    },
    take(code: string): string | undefined {
      const hash = hashOf(code);
      const found = kept.filter((each) => timingSafeEqual(each.hash, hash)); // Compares with all, so that the time tells nothing.
      kept = kept.filter((each) => !found.includes(each));
      return found.find(({ expiresMs }) => now() < expiresMs)?.token;
    },
  } satisfies LoginCodes;
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

/** Reads a code from untrusted JSON. @throws {ShelflistError} `invalid_payload`. */
export function parseLoginCode(value: unknown): string {
  const { code } = Object(value) as Record<string, unknown>;
  if (typeof code === 'string') return code;
  throw new ShelflistError('invalid_payload');
}
