import { Latest } from '../latest.ts';

/** A bounded memory of tokens that were verified, so that each is verified once and not at every request. */
export interface Verdicts {
  /** Whether the token was verified before and is not past its `exp` (both in Unix seconds). */
  isValid(token: string, nowSeconds: number): boolean;
  /** Remembers a verified token until `exp`. */
  add(token: string, exp: number): void;
}

/** A longer token is verified each time: the memory stays bounded in bytes, not only in entries. */
const maxTokenLength = 1024;

/**
 * The key is the whole token, so that no two tokens can share a verdict, and only good verdicts are kept, so
 * that a stranger's tokens cannot push out a user's. `exp` is checked at every use. Full, it forgets the older half.
 */
export function createVerdicts(maxTokens = 10_000): Verdicts {
  const expOf = new Latest<string, number>(Math.ceil(maxTokens / 2));
  return {
    isValid(token, nowSeconds) {
      const exp = expOf.get(token);
      if (exp === undefined) return false;
      if (nowSeconds < exp) return true;
      expOf.delete(token);
      return false;
    },
    add(token, exp) {
      if (token.length <= maxTokenLength) expOf.set(token, exp);
    },
  };
}
