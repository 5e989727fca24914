import { hasCode, type ErrorCode } from '../catalogue/errors.ts';
import { readTokenTimes, readTokenUser } from '../lib/token-claims.ts';
import type { ClientOptions } from './options.ts';

/** How a client gets other tokens. */
interface TokenSource {
  /** Exchanges a token for a new one. */
  readonly renew: (token: string | undefined) => Promise<string>;
  /** See `ClientOptions`. */
  readonly onUnauthorized: (() => Promise<string | undefined>) | undefined;
  readonly onRenewed: ((token: string, previous: string) => void | Promise<void>) | undefined;
}

/** A token is renewed when less than this part of its lifetime is left: so a use every 10 minutes keeps a session of 15. */
const lastPart = 2 / 3;
/** The pause after a renewal that failed because of the service or the network. */
const retryMs = 10_000;
/** Errors of a service that will not renew this token. */
const finalCodes: readonly ErrorCode[] = [
  'invalid_token',
  'token_required',
  'not_found',
  'method_not_allowed',
];

/** The token of a client. It is renewed before it expires, and replaced if the service refuses it. */
export class TokenHolder {
  readonly #source: TokenSource;
  #token: string | undefined;
  /** Returns the token of each request. */
  #getToken: Exclude<ClientOptions['token'], string>;
  /** When the token is renewed, by `performance.now()`; `Infinity`: never. */
  #dueMs = Infinity;
  #expiresMs = Infinity;
  /** Changes with the user: a request of one is not repeated by another. */
  #users = 0;
  #renewal: Promise<string> | undefined;
  #replacement: Promise<boolean> | undefined;

  constructor(token: ClientOptions['token'], source: TokenSource) {
    this.#source = source;
    if (typeof token === 'function') this.#getToken = token;
    else this.#take(token);
    if (typeof token !== 'string') return;
    const { expiresAt = 0 } = readTokenTimes(token);
    this.#plan(expiresAt * 1000 - Date.now());
  }

  /** The token that was used last. */
  get token(): string | undefined {
    return this.#token;
  }

  /** The number of the user whose token was used last. After a logout, it is another one. */
  get user(): number {
    return this.#users;
  }

  /** The token of a request that does not renew it. */
  async current(): Promise<string | undefined> {
    if (this.#getToken) this.#take(await this.#getToken());
    return this.#token;
  }

  #take(token: string | undefined): void {
    const isSame = token !== undefined && readTokenUser(token) === readTokenUser(this.#token ?? '');
    if (this.#token !== undefined && !isSame) this.#users++;
    this.#token = token;
  }

  /** Takes over a token that the service has just issued; `undefined`: requests have none from now on. */
  replace(token: string | undefined): void {
    this.#getToken = undefined;
    this.#take(token);
    const { issuedAt = 0, expiresAt = 0 } = readTokenTimes(token ?? '');
    this.#plan((expiresAt - issuedAt) * 1000); // Independent of the clock of this machine.
  }

  /** The token, renewed if that is due. If the renewal fails, the token is still the old one. */
  async fresh(): Promise<string | undefined> {
    const now = performance.now();
    if (now >= this.#dueMs && now < this.#expiresMs) await this.renew().catch(() => undefined);
    return this.current();
  }

  /** Renews the token; concurrent calls share one request. Returns the token of a login if that came first. */
  renew(): Promise<string> {
    this.#renewal ??= this.#exchange().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /**
   * Gets a token that replaces one that the service has refused. Requests with the same token share one replacement, however
   * late they are refused. Returns `false` if there is no other token.
   */
  async replaceRefused(refused: string | undefined): Promise<boolean> {
    const { onUnauthorized } = this.#source;
    if (this.#getToken) return (await this.current()) !== refused;
    if (onUnauthorized === undefined) return false;
    if (this.#token !== refused) return true;
    this.#replacement ??= onUnauthorized()
      .then((token) => {
        if (token !== undefined) this.replace(token);
        return token !== undefined;
      })
      .finally(() => {
        this.#replacement = undefined;
      });
    return this.#replacement;
  }

  async #exchange(): Promise<string> {
    const { renew, onRenewed } = this.#source;
    const used = await this.current();
    let renewed: string;
    try {
      renewed = await renew(used);
    } catch (error) {
      if (this.#token === used)
        this.#dueMs = hasCode(error, ...finalCodes) ? Infinity : performance.now() + retryMs;
      throw error;
    }
    if (this.#token !== used) return this.#token ?? renewed;
    this.replace(renewed);
    await onRenewed?.(renewed, used ?? '');
    return renewed;
  }

  /** Plans the renewal of the token, if its service renews tokens. */
  #plan(remainingMs: number): void {
    const { issuedAt, expiresAt, loginAt } = readTokenTimes(this.#token ?? '');
    const isRenewable = issuedAt !== undefined && expiresAt !== undefined && loginAt !== undefined;
    this.#dueMs = this.#expiresMs = Infinity;
    if (!isRenewable) return;
    this.#expiresMs = performance.now() + remainingMs;
    this.#dueMs = this.#expiresMs - (expiresAt - issuedAt) * 1000 * lastPart;
  }
}
