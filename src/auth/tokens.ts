import type { webcrypto } from 'node:crypto';
import { ShelflistError } from '../catalogue/errors.ts';
import type { Login } from './credentials.ts';
import { createLoginProof, loginProofClaim } from './login-proof.ts';
import { createVerifiedTokenCache } from './verified-token-cache.ts';

/** The lifetime of a token: 15 minutes, by the specification. */
export const tokenLifetimeSeconds = 15 * 60;

/** The user of a token. */
export interface User {
  /** Who it is. Users with the same name are the same user. */
  readonly name: string;
}

/** What a valid token says. */
export interface VerifiedToken {
  /** The end of its validity, in Unix seconds. */
  readonly exp: number;
  /** Its claim `sub`, or the accepted login that it comes from; `undefined` if another issuer made it without a `sub`. */
  readonly user: User | undefined;
}

/** Issues and verifies the service's tokens: JWTs (RFC 7519) signed with HMAC. */
export interface Tokens {
  /**
   * Issues a token for a login, signed with HS256.
   *
   * @param subject The name of the user, for the claim `sub`. Default: none.
   * @throws {ShelflistError} `token_not_signed`.
   */
  issue(subject?: string): Promise<string>;
  /**
   * Issues a token for the login that a valid token comes from.
   *
   * @throws {ShelflistError} `invalid_token`: it is not valid, its login is too long ago or had other credentials, or another
   * issuer made it; `token_not_signed`.
   */
  renew(token: string): Promise<string>;
  /**
   * Passes a valid token. Returns what it says; a promise if it was not verified before.
   *
   * @throws {ShelflistError} `invalid_token`, directly or through the promise.
   */
  verify(token: string): VerifiedToken | Promise<VerifiedToken>;
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
  /** The claims `iss` and `aud` of tokens: required of each token, and put into new ones. Default: none, and any are accepted. */
  issuer?: string | undefined;
  audience?: string | undefined;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/**
 * Verification accepts HS256, HS384 and HS512, requires `exp`, and tolerates no clock skew. Verified tokens are cached,
 * because a verification takes longer than the rest of a request.
 */
export async function createTokens(secret: string, options: TokensOptions = {}): Promise<Tokens> {
  const { now = Date.now, previousSecret, session, issuer, audience } = options;
  const party = { ...(issuer !== undefined && { issuer }), ...(audience !== undefined && { audience }) };
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
          ...party,
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

  async function verifyNew(token: string): Promise<VerifiedToken> {
    const { exp, payload, verifiedBy } = await read(token);
    const isOfLogin = verifiedBy.proof?.matches(payload[loginProofClaim]) === true;
    const { sub }: { sub?: unknown } = payload;
    const name = typeof sub === 'string' ? sub : isOfLogin ? session?.login.username : undefined;
    const verified = { exp, user: name ? Object.freeze({ name }) : undefined };
    verifiedTokens.add(token, verified);
    return verified;
  }

  const lasts = (exp: number): boolean => Number.isFinite(exp) && now() / 1000 < exp;

  /** @param loginSeconds The time of the login, in Unix seconds. Default: now. */
  async function issue(subject?: string, loginSeconds?: number): Promise<string> {
    const issuedAt = Math.floor(now() / 1000);
    const claims =
      own?.proof === undefined
        ? {}
        : { auth_time: loginSeconds ?? issuedAt, [loginProofClaim]: own.proof.text };
    try {
      return await new SignJWT({
        ...(subject !== undefined && { sub: subject }),
        ...(issuer !== undefined && { iss: issuer }),
        ...(audience !== undefined && { aud: audience }),
        ...claims,
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenLifetimeSeconds)
        .sign(await getSigningKey());
    } catch (cause) {
      throw new ShelflistError('token_not_signed', { cause });
    }
  }

  return {
    issue: (subject) => issue(subject),
    async renew(token) {
      const { payload, verifiedBy } = await read(token);
      const { auth_time: loginSeconds, [loginProofClaim]: proof } = payload;
      const endSeconds = Number(loginSeconds) + (session?.sessionHours ?? 0) * 3600;
      if (typeof loginSeconds !== 'number' || verifiedBy.proof?.matches(proof) !== true || !lasts(endSeconds))
        throw new ShelflistError('invalid_token');
      return issue(payload.sub, loginSeconds);
    },
    verify(token) {
      return verifiedTokens.get(token, now() / 1000) ?? verifyNew(token);
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
