/** The address of a service with default settings. */
export const defaultServiceUrl = 'http://127.0.0.1:8080';

/** @throws {TypeError} It is not the address of an HTTP service. */
export function parseServiceUrl(text: string): URL {
  const url = typeof (text as unknown) === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError('the address of a service starts with http:// or https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(
      'the address of a service must not contain a username or password; use them to log in',
    );
  }
  return url;
}
