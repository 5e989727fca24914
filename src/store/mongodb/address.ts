// Removes secrets from addresses and from messages of the driver package.
import { ArgumentError } from '../../catalogue/errors.ts';

const scheme = /^mongodb(?:\+srv)?:\/\//;

const host = '(?:[^/?#@:,[\\]]+|\\[[\\d:.A-Fa-f]+\\])(?::\\d{1,5})?';
/** No text matches in two ways, so that long addresses take no longer than their length. */
const hosts = `${host}(?:,${host})*`;
const path = '(?:/([^?#@]*))?';
/** The driver refuses credentials with an unescaped `/`, `?`, `#`, `[`, `]`, `:` or `@`. */
const credentials = '(?:[^:@/?#[\\]]*(?::[^:@/?#[\\]]*)?@)?';
const shapes = [
  new RegExp(`^(mongodb(?:\\+srv)?://)${credentials}(${hosts})${path}(?:\\?[^#@]*)?$`),
  // Everything before the last `@` may be a password, except text with `=`, which may be an option.
  new RegExp(`^(mongodb(?:\\+srv)?://)[^=]*@(${hosts})${path}(?:\\?[^#@]*)?$`),
];

const hostsOnly = new RegExp(`^${hosts}$`);

/**
 * Checks an address without loading the driver, which would take part of an unencoded password for a host and look it up in DNS.
 *
 * @throws {TypeError} The message never repeats the address.
 */
export function checkMongoUrl(url: string): void {
  const rest = url.replace(scheme, '');
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const at = authority.lastIndexOf('@');
  const userInfo = authority.slice(0, Math.max(0, at));
  const place = authority.slice(at + 1);
  const isPlace = hostsOnly.test(place);
  if (
    hasStraySign(rest.slice(authority.length), isPlace) ||
    !/^[^:@[\]]*(?::[^:@[\]]*)?$/.test(userInfo) ||
    !isDecodable(userInfo)
  )
    throw new ArgumentError(
      'contains a character in its user, password or options that must be percent-encoded: ' +
        '% as %25, @ as %40, : as %3A, / as %2F, ? as %3F, # as %23, [ as %5B, ] as %5D',
    );
  if (place === '') throw new ArgumentError('names no host');
  if (!isPlace)
    throw new ArgumentError(
      'names a host or port that is not valid; write mongodb://USER:PASSWORD@HOST:PORT/DATABASE',
    );
  if (url.startsWith('mongodb+srv:') && /[:,]/.test(place))
    throw new ArgumentError(
      'names a port or several hosts, but mongodb+srv:// finds these in DNS; name one host, without a port',
    );
}

/** Whether an `@` after the hosts may end an unencoded password. The driver accepts one in the value of an option. */
function hasStraySign(text: string, followsHosts: boolean): boolean {
  if (!followsHosts) return text.includes('@');
  const [path = '', ...query] = text.split('?');
  const pairs = query.join('?').split('&');
  return path.includes('@') || pairs.some((pair) => /^[^=]*@/.test(pair));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the scheme, hosts and database of a URL, without loading the driver. If it is not certain which part is a secret,
 * returns only the scheme.
 */
export function redactMongoUrl(url: string): string {
  const match = shapes.map((shape) => shape.exec(url)).find((found) => found !== null);
  if (match === undefined) return `${scheme.exec(url)?.[0] ?? 'mongodb://'}***`;
  const [, start = '', places = '', database = ''] = match;
  return `${start}${places}/${decode(database) || 'shelflist'}`;
}

/** Options whose values are not secret: an error about a file is useless without its path. */
const shownOptions = /^(?:tlsCAFile|tlsCRLFile|tlsCertificateKeyFile|replicaSet)=/i;

/** Removes every part of a URL that may be a secret from a driver's message, in both spellings. */
export function createScrubber(url: string): (message: string) => string {
  const rest = url.replace(scheme, '');
  const userInfo = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  const [query = '', ...more] = url.split('?').slice(1);
  const options = [query, ...more].join('?');
  const [, ...password] = userInfo.split(':');
  const values = options
    .split('&')
    .filter((pair) => !shownOptions.test(pair))
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const pieces = userInfo.split(/[:/?@&=]/);
  const secrets = [
    url,
    userInfo,
    password.join(':'),
    options === '' ? '' : `?${options}`,
    ...[...pieces, ...values].filter((text) => text.length > 2),
  ];
  const spellings = new Set(secrets.flatMap((text) => [text, decode(text)]).filter((text) => text !== ''));
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return (message) => longestFirst.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
