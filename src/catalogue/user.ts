import { ArgumentError } from './errors.ts';

/**
 * The user of a request, as the app that embeds the service knows it.
 *
 * @typeParam Claims What the app says of its users.
 */
export interface User<Claims extends object = object> {
  /** Identifies the user: 1 to 200 characters, none of them a control character. */
  readonly name: string;
  /** What the app has said of the user, as JSON holds it. A token carries it, and its user can read it. */
  readonly claims: Readonly<Claims>;
}

/** Whether a value can be the name of a user, which logs and stores hold. */
export function isUserName(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && /^\P{Cc}{1,200}$/u.test(value);
}

/** The maximum length of the claims as JSON in UTF-8: a token travels in a header. */
const maxClaims = 4000;

/**
 * Reads a user that a callback of the embedder returned; `undefined` for none.
 *
 * @param source The name of the callback.
 * @throws {TypeError} The value is not a user, `undefined` or `null`.
 */
export function parseUser(value: unknown, source: string): User | undefined {
  if (value === undefined || value === null) return undefined;
  const { name, claims = {} } = value as Partial<Record<keyof User, unknown>>;
  if (!isUserName(name))
    throw new ArgumentError(
      `${source} returned neither undefined nor { name } with 1 to 200 characters, none of them a control character`,
    );
  const parsed = toClaims(claims);
  if (parsed === undefined)
    throw new ArgumentError(
      `${source} returned claims that are not an object of at most ${maxClaims} bytes of JSON`,
    );
  return toUser(name, parsed);
}

/** A frozen user; without claims, unless they are an object. */
export function toUser(name: string, claims: unknown): User {
  return Object.freeze({ name, claims: Object.freeze(isPlain(claims) ? claims : {}) });
}

/** A copy of claims, as JSON holds them; `undefined` if they are none. */
function toClaims(value: unknown): object | undefined {
  const json = isPlain(value) ? JSON.stringify(value) : '';
  if (json === '' || Buffer.byteLength(json) > maxClaims) return undefined;
  const copy: unknown = JSON.parse(json);
  return isPlain(copy) ? copy : undefined;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
