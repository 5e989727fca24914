import { ShelflistError } from '../../catalogue/errors.ts';
import { readTokenTimes } from '../../lib/token-claims.ts';
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

/** A time in Unix seconds, on this day or with its date: `09:12`, `2026-11-21 09:12`. Empty if it is not known. */
function describe(before: string, seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return '';
  const time = new Date(seconds * 1000);
  const digits = (value: number) => String(value).padStart(2, '0');
  const clock = `${digits(time.getHours())}:${digits(time.getMinutes())}`;
  if (time.toDateString() === new Date().toDateString()) return before + clock;
  return `${before}${time.getFullYear()}-${digits(time.getMonth() + 1)}-${digits(time.getDate())} ${clock}`;
}
