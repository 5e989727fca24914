const scheme = /^mongodb(?:\+srv)?:\/\//;

/** The URLs that the driver accepts: it refuses credentials in which `/`, `?`, `#`, `[`, `]`, `:` or `@` is not escaped. */
const accepted =
  /^(mongodb(?:\+srv)?:\/\/)(?:[^:@/?#[\]]*(?::[^:@/?#[\]]*)?@)?((?:,?(?:[^/?#@:,[\]]+|\[[\d:a-f]+\])(?::\d{1,5})?)+)(?:\/([^?#@]*))?(?:\?[^#@]*)?$/;

/**
 * Scheme, hosts and database of a URL, without loading the driver. Of a URL in which a secret may be anywhere (an
 * unescaped `@` in a password or an option), only the scheme.
 */
export function redactMongoUrl(url: string): string {
  const match = accepted.exec(url);
  if (match === null) return `${scheme.exec(url)?.[0] ?? 'mongodb://'}***`;
  const [, start = '', hosts = '', path = ''] = match;
  return `${start}${hosts}/${decode(path) || 'shelflist'}`;
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
