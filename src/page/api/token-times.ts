/** How long a token lasts, and whether it can be renewed. */
export interface TokenTimes {
  readonly lifetimeMs: number;
}

/**
 * Reads the lifetime of a token without verifying it, which only the service can. `undefined`: the token cannot be renewed.
 * The lifetime does not depend on the clock of this machine.
 */
export function readTokenTimes(token: string): TokenTimes | undefined {
  const { iat, exp, auth_time: loginAt } = readPayload(token);
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof loginAt !== 'number') return undefined;
  return { lifetimeMs: (exp - iat) * 1000 };
}

function readPayload(token: string): Record<string, unknown> {
  try {
    const text = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
