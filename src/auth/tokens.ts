import type { webcrypto } from 'node:crypto';
import { ShelflistError } from '../errors.ts';
import { createVerdicts } from './verdicts.ts';

/** How long a token is valid: 15 minutes, as the specification says. */
export const tokenLifetimeSeconds = 15 * 60;

/** Issues and verifies the service's tokens: JWTs (RFC 7519) signed with HMAC. */
export interface Tokens {
  /** A new token, signed HS256, with `iat` and `exp`. @throws {ShelflistError} `token_not_signed`. */
  issue(): Promise<string>;
  /**
   * Passes a valid token: nothing is returned for one that was verified before, a promise for a new one.
   *
   * @throws {ShelflistError} `invalid_token`, at once or by the promise.
   */
  verify(token: string): Promise<void> | undefined;
}

export interface TokensOptions {
  /** The secret before this one: what it signed still verifies, and nothing new is signed with it. */
  previousSecret?: string | undefined;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/**
 * Verification accepts HS256, HS384 and HS512, demands `exp`, and tolerates no clock skew. What was verified
 * is remembered, because one verification costs more than the rest of a request.
 */
export async function createTokens(secret: string, options: TokensOptions = {}): Promise<Tokens> {
  const { now = Date.now, previousSecret } = options;
  // Imported when a service is made, not when the package is: a client command never needs it. All of jose would be
  // three times as many files.
  const [{ SignJWT }, { jwtVerify }] = await Promise.all([
    import('jose/jwt/sign'),
    import('jose/jwt/verify'),
  ]);
  const key = new TextEncoder().encode(secret);
  const keys = previousSecret === undefined ? [key] : [key, new TextEncoder().encode(previousSecret)];
  const verdicts = createVerdicts();
  let signingKey: Promise<webcrypto.CryptoKey> | undefined;

  /** Made for the first token and kept: to make it takes as long as to sign. */
  function getSigningKey(): Promise<webcrypto.CryptoKey> {
    signingKey ??= crypto.subtle
      .importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      .catch((error: unknown) => {
        signingKey = undefined;
        throw error;
      });
    return signingKey;
  }

  async function verifyNew(token: string): Promise<void> {
    for (const each of isCanonical(token) ? keys : []) {
      try {
        const {
          payload: { exp = 0 },
        } = await jwtVerify(token, each, {
          algorithms: ['HS256', 'HS384', 'HS512'],
          requiredClaims: ['exp'],
          clockTolerance: 0,
          currentDate: new Date(now()),
        });
        if (!lasts(exp)) break; // jose knows whole seconds only, and takes 1e309 for a number.
        verdicts.add(token, exp);
        return;
      } catch {
        // The other secret may have signed it.
      }
    }
    throw new ShelflistError('invalid_token');
  }

  const lasts = (exp: number): boolean => Number.isFinite(exp) && now() / 1000 < exp;

  return {
    async issue() {
      const issuedAt = Math.floor(now() / 1000);
      try {
        return await new SignJWT()
          .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
          .setIssuedAt(issuedAt)
          .setExpirationTime(issuedAt + tokenLifetimeSeconds)
          .sign(await getSigningKey());
      } catch (cause) {
        throw new ShelflistError('token_not_signed', { cause });
      }
    },
    verify(token) {
      return verdicts.isValid(token, now() / 1000) ? undefined : verifyNew(token);
    },
  };
}

/**
 * Whether it is written as RFC 7515 says, in section 2: no padding, no space, no bits that stand for nothing. Decoders let all
 * that pass, and one signature would be good for many texts.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
