import { open, read } from './transport.ts';
import { holdToken } from './session.ts';

/** Logs in. @throws {ApiError} `invalid_credentials`, `too_many_attempts` or another. */
export async function logIn(username: string, password: string): Promise<void> {
  const response = await open('token', { method: 'POST', body: { username, password } }, undefined);
  const { data } = await read(response);
  holdToken((data as { token: string }).token);
}
