import { createHmac, hkdfSync, timingSafeEqual, type webcrypto } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { ShelflistError } from '../catalogue/errors.ts';
import { GenerationalCache } from '../lib/generational-cache.ts';
import { isUserName, toUser, type User } from '../catalogue/user.ts';
import type { Login } from './credentials.ts';

/** The lifetime of a token: 15 minutes, by the specification. */
export const tokenLifetimeSeconds = 15 * 60;

/** The contents of a valid token. */
export interface VerifiedToken {
  /** The end of its validity, in Unix seconds. */
  readonly exp: number;
  /** Its claim `sub`, or the accepted login that it comes from; `undefined` if another issuer made it without a `sub`. */
  readonly user: User | undefined;
}

export interface TokensOptions {
  /** The previous secret: its tokens are still valid, but no token is signed with it. */
  previousSecret?: string | undefined;
  /**
   * The accepted login, whose password may change later, and for how many hours its tokens can be renewed; 0: never. Default:
   * tokens cannot be renewed.
   */
  session?: { readonly login: Readonly<Login>; readonly sessionHours: number };
  /**
   * Names the catalogue that the tokens are for: a key of its own, made from the secret, signs them, so that no other catalogue with
   * the same secret accepts them. Default: the secret itself signs, as the specification says.
   */
  scope?: string | undefined;
  /** The claims `iss` and `aud` of tokens: required of each token, and put into new ones. Default: none, and any are accepted. */
  issuer?: string | undefined;
  audience?: string | undefined;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** The claim of a token that contains the proof of its login. */
const loginProofClaim = 'login';

/** What signs and verifies tokens, and what proves logins. */
interface Keys {
  readonly signing: Uint8Array<ArrayBuffer>;
  readonly proving: Uint8Array<ArrayBuffer>;
}

function keysOf(secret: string, scope: string | undefined): Keys {
  return {
    signing: scope === undefined ? new TextEncoder().encode(secret) : deriveKey(secret, 'token', scope),
    proving: deriveKey(secret, 'login', scope ?? ''),
  };
}

/** A key for one purpose in one catalogue (RFC 5869). The scope is the salt, which may have any length. */
function deriveKey(secret: string, purpose: string, scope: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync('sha256', secret, scope, `shelflist\0${purpose}\0`, 32));
}

/** The functions of jose for tokens. */
interface Jose {
  readonly SignJWT: typeof import('jose').SignJWT;
  readonly jwtVerify: typeof import('jose').jwtVerify;
}

export async function createTokens(secret: string, options: TokensOptions = {}): Promise<Tokens> {
  // Imported here because clients never need it. All of jose would be three times as many files. One after the other, because
  // the VM threads of vitest cannot link two modules at once that import the same third one.
  const { SignJWT } = await import('jose/jwt/sign');
  const { jwtVerify } = await import('jose/jwt/verify');
  return new Tokens({ SignJWT, jwtVerify }, secret, options);
}

/**
 * Issues and verifies the service's tokens: JWTs (RFC 7519) signed with HMAC. Verification accepts HS256, HS384 and HS512,
 * requires `exp`, and tolerates no clock skew.
 */
export class Tokens {
  readonly #jose: Jose;
  readonly #own: Keys;
  readonly #keys: readonly Keys[];
  readonly #session: TokensOptions['session'];
  readonly #claims: { readonly issuer?: string; readonly audience?: string };
  readonly #now: () => number;
  readonly #verified = new VerifiedTokenCache();
  #signingKey: Promise<webcrypto.CryptoKey> | undefined;

  constructor(
    jose: Jose,
    secret: string,
    { now = Date.now, previousSecret, session, scope, issuer, audience }: TokensOptions,
  ) {
    this.#jose = jose;
    this.#own = keysOf(secret, scope);
    this.#keys = previousSecret === undefined ? [this.#own] : [this.#own, keysOf(previousSecret, scope)];
    this.#session = session;
    this.#claims = { ...(issuer !== undefined && { issuer }), ...(audience !== undefined && { audience }) };
    this.#now = now;
  }

  /**
   * Issues a token for a login, signed with HS256.
   *
   * @param user The user, for the claims `sub` and `claims`. Default: none.
   * @throws {ShelflistError} `token_not_signed`.
   */
  issue(user?: User): Promise<string> {
    return this.#issue(user && claimsOf(user));
  }

  /**
   * Issues a token for the login that a valid token comes from.
   *
   * @throws {ShelflistError} `invalid_token`: it is not valid, its login is too long ago or had other credentials, or another
   * issuer made it; `token_not_signed`.
   */
  async renew(token: string): Promise<string> {
    const { payload, proof } = await this.#read(token);
    const { auth_time: loginSeconds, [loginProofClaim]: claim } = payload;
    const endSeconds = Number(loginSeconds) + (this.#session?.sessionHours ?? 0) * 3600;
    if (typeof loginSeconds !== 'number' || !isProof(proof, claim) || !this.#lasts(endSeconds))
      throw new ShelflistError('invalid_token');
    const { sub, claims: own } = payload;
    return this.#issue(
      { ...(sub !== undefined && { sub }), ...(own !== undefined && { claims: own }) },
      loginSeconds,
    );
  }

  /**
   * Verifies a token. Returns its contents; a promise unless they are cached.
   *
   * @throws {ShelflistError} `invalid_token`, directly or through the promise.
   */
  verify(token: string): VerifiedToken | Promise<VerifiedToken> {
    return this.#verified.get(token, this.#now() / 1000) ?? this.#verifyNew(token);
  }

  async #verifyNew(token: string): Promise<VerifiedToken> {
    const { exp, payload, proof } = await this.#read(token);
    const { sub, claims, [loginProofClaim]: claim }: Readonly<Record<string, unknown>> = payload;
    const loginName = isProof(proof, claim) ? this.#session?.login.username : undefined;
    const name = typeof sub === 'string' ? sub : loginName;
    const verified = { exp, user: isUserName(name) ? toUser(name, claims) : undefined };
    this.#verified.add(token, verified);
    return verified;
  }

  /** The claims of a valid token, and the proof of a login for it. @throws {ShelflistError} `invalid_token` */
  async #read(token: string): Promise<{ payload: JWTPayload; exp: number; proof: Buffer | undefined }> {
    for (const key of isCanonical(token) ? this.#keys : []) {
      try {
        const { payload } = await this.#jose.jwtVerify(token, key.signing, {
          algorithms: ['HS256', 'HS384', 'HS512'],
          requiredClaims: ['exp'],
          clockTolerance: 0,
          ...this.#claims,
          currentDate: new Date(this.#now()),
        });
        const { exp = 0 } = payload;
        if (!this.#lasts(exp)) break; // jose compares whole seconds only, and accepts 1e309.
        return { payload, exp, proof: this.#proofWith(key) };
      } catch {
        // Perhaps the other secret signed it.
      }
    }
    throw new ShelflistError('invalid_token');
  }

  /** The proof of a login with the accepted credentials of now. */
  #proofWith({ proving }: Keys): Buffer | undefined {
    return this.#session && proofOf(proving, this.#session.login);
  }

  #lasts(endSeconds: number): boolean {
    return Number.isFinite(endSeconds) && this.#now() / 1000 < endSeconds;
  }

  /**
   * @param own The claims `sub` and `claims`.
   * @param loginSeconds The time of the login, in Unix seconds. Default: now.
   */
  async #issue(own: JWTPayload = {}, loginSeconds?: number): Promise<string> {
    const issuedAt = Math.floor(this.#now() / 1000);
    const proof = this.#proofWith(this.#own);
    const { issuer, audience } = this.#claims;
    const claims = {
      ...own,
      ...(issuer !== undefined && { iss: issuer }),
      ...(audience !== undefined && { aud: audience }),
      ...(proof && {
        auth_time: loginSeconds ?? issuedAt,
        [loginProofClaim]: proof.toString('base64url'),
      }),
    };
    try {
      return await new this.#jose.SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenLifetimeSeconds)
        .sign(await this.#getSigningKey());
    } catch (cause) {
      throw new ShelflistError('token_not_signed', { cause });
    }
  }

  /** Created for the first token and kept, because this takes as long as signing. */
  #getSigningKey(): Promise<webcrypto.CryptoKey> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#signingKey ??= crypto.subtle
      .importKey('raw', this.#own.signing, algorithm, false, ['sign'])
      .catch((error: unknown) => {
        this.#signingKey = undefined;
        throw error;
      });
    return this.#signingKey;
  }
}

/**
 * Whether a token is encoded as RFC 7515, section 2, demands: without padding, spaces and unused bits. Decoders accept these,
 * so one signature would be valid for many texts.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

function claimsOf({ name, claims }: User): JWTPayload {
  return { sub: name, ...(Object.keys(claims).length > 0 && { claims }) };
}

/**
 * Proves that a token comes from a login with these credentials: an HMAC, which reveals nothing of them to those who do not
 * know the key. A new username or password gives another one.
 */
function proofOf(key: Uint8Array, { username, password }: Readonly<Login>): Buffer {
  // The length separates the two. UTF-16 is lossless for every string.
  const credentials = Buffer.from(`${username.length}:${username}${password}`, 'utf16le');
  return createHmac('sha256', key).update(credentials).digest();
}

/** Whether a claim has this proof; compared in constant time. */
function isProof(proof: Buffer | undefined, claim: unknown): boolean {
  if (proof === undefined || typeof claim !== 'string') return false;
  const other = Buffer.from(claim, 'base64url');
  return other.length === proof.length && timingSafeEqual(other, proof);
}

/** Longer tokens are not cached, so that the cache is bounded in bytes, too. */
const maxTokenLength = 1024;

/**
 * A bounded cache of verified tokens: a verification takes longer than the rest of a request. The key is the whole token, so
 * that no two tokens share an entry. Only valid tokens are added, so that strangers cannot evict those of users.
 */
export class VerifiedTokenCache {
  readonly #tokens: GenerationalCache<string, VerifiedToken>;

  constructor(maxTokens = 10_000) {
    this.#tokens = new GenerationalCache(Math.ceil(maxTokens / 2));
  }

  /** The contents of a token that was verified before; `undefined` for a new or an expired one. */
  get(token: string, nowSeconds: number): VerifiedToken | undefined {
    const verified = this.#tokens.get(token);
    if (verified === undefined || nowSeconds < verified.exp) return verified;
    this.#tokens.delete(token);
    return undefined;
  }

  add(token: string, verified: VerifiedToken): void {
    if (token.length <= maxTokenLength) this.#tokens.set(token, verified);
  }
}
