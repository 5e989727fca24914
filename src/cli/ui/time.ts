/**
 * A time for people, in their time zone: `2026-11-21 09:12:03`. Programs get RFC 3339 in UTC instead.
 *
 * @param time A date, its RFC 3339 text, or Unix seconds.
 */
export function formatTime(time: Date | string | number): string {
  const date = typeof time === 'number' ? new Date(time * 1000) : new Date(time);
  const digits = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(digits).join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(digits).join(':')}`;
}
