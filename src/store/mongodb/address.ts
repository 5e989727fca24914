/** A MongoDB address, taken apart as far as messages and defaults need it. */
export interface MongoAddress {
  /** Scheme, hosts and database: what may be shown. */
  description: string;
  /** The database that the address names, else `shelflist`. */
  database: string;
  /** A driver's message with every trace of the address's credentials taken out. */
  scrub: (message: string) => string;
}

/**
 * No URL parser takes several hosts. All up to the last `@` counts as credentials, as the driver has it too: a
 * password in which `/`, `?` or `@` is not escaped must not be taken for something that may be shown.
 */
const shape = /^(mongodb(?:\+srv)?:\/\/)(?:(.*)@)?([^/?]*)(?:\/([^?]*))?/s;

/** Never throws: what is not an address is left for the driver to refuse. */
export function parseMongoAddress(url: string): MongoAddress {
  const [, scheme = 'mongodb://', userInfo = '', hosts = '', path = ''] = shape.exec(url) ?? [];
  const database = decode(path) || 'shelflist';
  const [username = '', ...rest] = userInfo.split(':');
  const password = rest.join(':');
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  // Query options can hold secrets too (a key file's password), so no part of the address is ever repeated.
  const secrets = [
    url,
    userInfo,
    password,
    decode(password),
    ...(username.length > 2 ? [username, decode(username)] : []),
    query,
  ].filter((text) => text !== '');
  return {
    description: `${scheme}${hosts}/${database}`,
    database,
    scrub: (message) => secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
