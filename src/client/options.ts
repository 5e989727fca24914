export interface ClientOptions {
  /** The address of the service, with the path it is mounted under, if any. Default `http://127.0.0.1:8080`. */
  url?: string;
  /** A token from an earlier login. */
  token?: string;
  /** How long to wait for an answer, in milliseconds. Default 30,000. */
  timeoutMs?: number;
}

const known = ['url', 'token', 'timeoutMs'];
/** The longest delay that timers support. */
const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Checks options whose wrong type could send requests elsewhere, or in another form.
 *
 * @throws {TypeError} An option has the wrong type; or `url` is missing, and an unknown option may be meant for it.
 */
export function checkOptions(options: ClientOptions): ClientOptions {
  if (typeof options !== 'object' || options === (null as unknown) || Array.isArray(options))
    throw new TypeError('options: expected an object such as { url }');
  const { url, token, timeoutMs } = options as Record<keyof ClientOptions, unknown>;
  if (url !== undefined && typeof url !== 'string') throw new TypeError('options.url: expected a string');
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (url === undefined && unknown !== undefined)
    throw new TypeError(
      `options.${unknown}: there is no such option; the address of the service is options.url`,
    );
  if (token !== undefined && (typeof token !== 'string' || !/^[\x20-\x7e]*$/.test(token)))
    throw new TypeError('options.token: expected a string of visible ASCII characters');
  if (timeoutMs !== undefined && !isTimeout(timeoutMs))
    throw new TypeError(`options.timeoutMs: expected a number of milliseconds from 1 to ${maxTimeoutMs}`);
  return options;
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= maxTimeoutMs;
}
