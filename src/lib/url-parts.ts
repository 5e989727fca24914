/**
 * Whether a value is the origin of web pages as browsers send it (RFC 6454): `https://books.example:8443`. A `*` is refused,
 * because it would be part of a name, not a wildcard.
 */
export function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !/^https?:\/\/[^*]+$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a host name or address, with or without the brackets of a URL, is that of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether a value is the path that a service is mounted under: empty, or `/catalogue`. */
export function isPathPrefix(value: unknown): value is string {
  return typeof value === 'string' && /^(\/[^/?#\s]+)*$/.test(value);
}
