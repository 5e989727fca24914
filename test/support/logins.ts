import { sendRequest, type Answer } from './service.ts';

/** How one login is sent: from which address of this machine, and for whom a proxy says that it asks. */
export interface LoginFrom {
  localAddress?: string;
  forwardedFor?: string;
}

/** One login on a connection of its own. */
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

/** So many logins, one after the other; gives their statuses. */
export async function logInTimes(
  count: number,
  ...[url, login, from]: Parameters<typeof logIn>
): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await logIn(url, login, from)).status);
  return statuses;
}
