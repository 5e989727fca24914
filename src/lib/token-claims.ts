/** The times in a JSON Web Token, in Unix seconds; `undefined` for each that is missing. */
interface TokenTimes {
  readonly issuedAt: number | undefined;
  readonly expiresAt: number | undefined;
  /** The time of the login (`auth_time`). */
  readonly loginAt: number | undefined;
}

/** The maximum of a Date (ECMA-262, 21.4.1.1). */
const lastSecond = 8_640_000_000_000;

/** Reads the times of a token without verifying it: only its issuer can. */
export function readTokenTimes(token: string): TokenTimes {
  const { iat, exp, auth_time: loginAt } = readPayload(token);
  return { issuedAt: readTime(iat), expiresAt: readTime(exp), loginAt: readTime(loginAt) };
}

/** The user of a token (`sub`), without verifying it; `undefined` in a service with one login. */
export function readTokenUser(token: string): unknown {
  return readPayload(token).sub;
}

function readTime(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.max(-lastSecond, Math.min(value, lastSecond)) : undefined;
}

function readPayload(token: string): Record<string, unknown> {
  try {
    const binary = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return Object(JSON.parse(new TextDecoder().decode(bytes))) as Record<string, unknown>;
  } catch {
    return {};
  }
}
