// Removes secrets from addresses and from messages of the driver package.
const scheme = /^mongodb(?:\+srv)?:\/\//;

const hosts = '(?:,?(?:[^/?#@:,[\\]]+|\\[[\\d:a-f]+\\])(?::\\d{1,5})?)+';
const path = '(?:/([^?#@]*))?';
/** The driver refuses credentials with an unescaped `/`, `?`, `#`, `[`, `]`, `:` or `@`. */
const credentials = '(?:[^:@/?#[\\]]*(?::[^:@/?#[\\]]*)?@)?';
const shapes = [
  new RegExp(`^(mongodb(?:\\+srv)?://)${credentials}(${hosts})${path}(?:\\?[^#@]*)?$`),
  // Everything before the last `@` may be a password, except text with `=`, which may be an option.
  new RegExp(`^(mongodb(?:\\+srv)?://)[^=]*@(${hosts})${path}(?:\\?[^#@]*)?$`),
];

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

/** Removes every part of a URL that may be a secret from a driver's message, in both spellings. */
export function createScrubber(url: string): (message: string) => string {
  const rest = url.replace(scheme, '');
  const userInfo = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  const [query = '', ...more] = url.split('?').slice(1);
  const options = [query, ...more].join('?');
  const [, ...password] = userInfo.split(':');
  const values = options.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
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
