import { sendRequest, type Answer } from './service.ts';

/** The address of this machine that sends a login, and the client that a proxy names. */
export interface LoginFrom {
  localAddress?: string;
  forwardedFor?: string;
}

/** Sends one login on its own connection. */
export function logIn(
  url: string,
  login: { username: string; password: string },
  { localAddress, forwardedFor }: LoginFrom = {},
): Promise<Answer> {
  return sendRequest(url, 'POST', '/token', {
    body: login,
    ...(localAddress !== undefined && { localAddress }),
    headers: { ...(forwardedFor !== undefined && { 'X-Forwarded-For': forwardedFor }) },
  });
}

/** Sends a number of logins one after the other; returns their statuses. */
export async function logInTimes(
  count: number,
  ...[url, login, from]: Parameters<typeof logIn>
): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await logIn(url, login, from)).status);
  return statuses;
}
