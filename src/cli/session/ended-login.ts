import { ShelflistError } from '../../catalogue/errors.ts';
import { readTokenTimes } from '../../lib/token-claims.ts';
import { formatTime } from '../ui/time.ts';
import type { Target } from './target.ts';
import { isValid, type CachedToken } from './token-cache.ts';

/** The error of a command whose login has ended: it names the time of the login, and when or how it ended. */
export function endedLogin({ url, loginLine }: Target, cached: CachedToken): ShelflistError {
  const { loginAt, issuedAt } = readTokenTimes(cached.token);
  const login = `your login${describe(' of ', loginAt ?? issuedAt)}`;
  const end = Math.min(cached.expiresAt, Date.now() / 1000);
  const message = isValid(cached)
    ? `${url} has ended ${login}: its password or secret may have changed; run \`${loginLine}\``
    : `${login} ended${describe(' at ', end)}; run \`${loginLine}\``;
  return new ShelflistError('not_logged_in', { message });
}

/** Empty if the time is not known. */
function describe(before: string, seconds: number | undefined): string {
  return seconds === undefined || seconds <= 0 ? '' : before + formatTime(seconds);
}
