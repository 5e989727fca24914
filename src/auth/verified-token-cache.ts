import { GenerationalCache } from '../lib/generational-cache.ts';
import type { VerifiedToken } from './tokens.ts';

/** A bounded cache of verified tokens, so that each is verified once and not for every request. */
export interface VerifiedTokenCache {
  /** What a token says that was verified before; `undefined` for a new or an expired one. */
  get(token: string, nowSeconds: number): VerifiedToken | undefined;
  /** Adds a verified token. */
  add(token: string, verified: VerifiedToken): void;
}

/** Longer tokens are not cached, so that the cache is bounded in bytes, too. */
const maxTokenLength = 1024;

/**
 * The key is the whole token, so that no two tokens share an entry. Only valid tokens are added, so that strangers cannot
 * evict those of users. `exp` is checked at every use.
 */
export function createVerifiedTokenCache(maxTokens = 10_000): VerifiedTokenCache {
  const tokens = new GenerationalCache<string, VerifiedToken>(Math.ceil(maxTokens / 2));
  return {
    get(token, nowSeconds) {
      const verified = tokens.get(token);
      if (verified === undefined || nowSeconds < verified.exp) return verified;
      tokens.delete(token);
      return undefined;
    },
    add(token, verified) {
      if (token.length <= maxTokenLength) tokens.set(token, verified);
    },
  };
}
