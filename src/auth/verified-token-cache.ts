import { GenerationalCache } from '../lib/generational-cache.ts';

/** A bounded cache of verified tokens, so that each is verified once and not for every request. */
export interface VerifiedTokenCache {
  /** Whether the token was verified before and has not expired. */
  isValid(token: string, nowSeconds: number): boolean;
  /** Adds a verified token, valid until `exp` in Unix seconds. */
  add(token: string, exp: number): void;
}

/** Longer tokens are not cached, so that the cache is bounded in bytes, too. */
const maxTokenLength = 1024;

/**
 * The key is the whole token, so that no two tokens share an entry. Only valid tokens are added, so that strangers cannot
 * evict those of users. `exp` is checked at every use.
 */
export function createVerifiedTokenCache(maxTokens = 10_000): VerifiedTokenCache {
  const expOf = new GenerationalCache<string, number>(Math.ceil(maxTokens / 2));
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
