import type { webcrypto } from 'node:crypto';
import { ShelflistError } from '../catalogue/errors.ts';
import type { Login } from './credentials.ts';
import { createLoginProof, loginProofClaim } from './login-proof.ts';
import { createVerifiedTokenCache } from './verified-token-cache.ts';

/** The lifetime of a token: 15 minutes, by the specification. */
export const tokenLifetimeSeconds = 15 * 60;

/** Issues and verifies the service's tokens: JWTs (RFC 7519) signed with HMAC. */
export interface Tokens {
  /** Issues a token for a login, signed with HS256. @throws {ShelflistError} `token_not_signed`. */
  issue(): Promise<string>;
  /**
   * Issues a token for the login that a valid token comes from.
   *
   * @throws {ShelflistError} `invalid_token`: it is not valid, its login is too long ago or had other credentials, or another
   * issuer made it; `token_not_signed`.
   */
  renew(token: string): Promise<string>;
  /**
   * Passes a valid token. Returns `undefined` for one that was verified before, a promise for a new one.
   *
   * @throws {ShelflistError} `invalid_token`, directly or through the promise.
   */
  verify(token: string): Promise<void> | undefined;
}

/** The accepted login, and how long its tokens can be renewed. */
export interface SessionRules {
  readonly login: Login;
  /** The time after the login, in hours; 0: tokens cannot be renewed. */
  readonly sessionHours: number;
}

export interface TokensOptions {
  /** The previous secret: its tokens are still valid, but no token is signed with it. */
  previousSecret?: string | undefined;
  /** Default: tokens cannot be renewed. */
  session?: SessionRules;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/**
 * Verification accepts HS256, HS384 and HS512, requires `exp`, and tolerates no clock skew. Verified tokens are cached,
 * because a verification takes longer than the rest of a request.
 */
export async function createTokens(secret: string, options: TokensOptions = {}): Promise<Tokens> {
  const { now = Date.now, previousSecret, session } = options;
  // Imported here because clients never need it. All of jose would be three times as many files. One after the other, because
  // the VM threads of vitest cannot link two modules at once that import the same third one.
  const { SignJWT } = await import('jose/jwt/sign');
  const { jwtVerify } = await import('jose/jwt/verify');
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const keys = secrets.map((each) => {
    const key = new TextEncoder().encode(each);
    return { key, proof: session && createLoginProof(key, session.login) };
  });
  const [own] = keys;
  const verifiedTokens = createVerifiedTokenCache();
  let signingKey: Promise<webcrypto.CryptoKey> | undefined;

  /** Created for the first token and kept, because this takes as long as signing. */
  function getSigningKey(): Promise<webcrypto.CryptoKey> {
    signingKey ??= crypto.subtle
      .importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      .catch((error: unknown) => {
        signingKey = undefined;
        throw error;
      });
    return signingKey;
  }

  /** The claims of a valid token, and the key that verified it. @throws {ShelflistError} `invalid_token` */
  async function read(token: string) {
    for (const each of isCanonical(token) ? keys : []) {
      try {
        const { payload } = await jwtVerify(token, each.key, {
          algorithms: ['HS256', 'HS384', 'HS512'],
          requiredClaims: ['exp'],
          clockTolerance: 0,
          currentDate: new Date(now()),
        });
        const { exp = 0 } = payload;
        if (!lasts(exp)) break; // jose compares whole seconds only, and accepts 1e309.
        return { payload, exp, verifiedBy: each };
      } catch {
        // Perhaps the other secret signed it.
      }
    }
    throw new ShelflistError('invalid_token');
  }

  async function verifyNew(token: string): Promise<void> {
    const { exp } = await read(token);
    verifiedTokens.add(token, exp);
  }

  const lasts = (exp: number): boolean => Number.isFinite(exp) && now() / 1000 < exp;

  /** @param loginSeconds The time of the login, in Unix seconds. Default: now. */
  async function issue(loginSeconds?: number): Promise<string> {
    const issuedAt = Math.floor(now() / 1000);
    const claims =
      own?.proof === undefined
        ? {}
        : { auth_time: loginSeconds ?? issuedAt, [loginProofClaim]: own.proof.text };
    try {
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenLifetimeSeconds)
        .sign(await getSigningKey());
    } catch (cause) {
      throw new ShelflistError('token_not_signed', { cause });
    }
  }

  return {
    issue: () => issue(),
    async renew(token) {
      const { payload, verifiedBy } = await read(token);
      const { auth_time: loginSeconds, [loginProofClaim]: proof } = payload;
      const endSeconds = Number(loginSeconds) + (session?.sessionHours ?? 0) * 3600;
      if (typeof loginSeconds !== 'number' || verifiedBy.proof?.matches(proof) !== true || !lasts(endSeconds))
        throw new ShelflistError('invalid_token');
      return issue(loginSeconds);
    },
    verify(token) {
      return verifiedTokens.isValid(token, now() / 1000) ? undefined : verifyNew(token);
    },
  };
}

/**
 * Whether a token is encoded as RFC 7515, section 2, demands: without padding, spaces and unused bits. Decoders accept these,
 * so one signature would be valid for many texts.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
