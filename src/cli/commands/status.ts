import type { Command } from 'commander';
import { connect } from '../session/connection.ts';
import { isFailure, type Failure } from '../command-error.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { type Io, formatTime, writeJson } from '../io.ts';
import { noteEmpty, writeRecords } from '../ui/records.ts';
import { findRenewal, loginNeeded, readLogin } from '../session/session.ts';
import { findTarget, type SessionOptions } from '../session/target.ts';
import { expiryOf, isValid, readLastLogin, readTokenFiles } from '../session/token-cache.ts';

const help = `
The exit status is 0 if the service answers and accepts the token, 5 if it cannot be
reached, and 4 if a login is needed. With --all, the command lists the stored logins, and asks
no service.

Examples:
  $ shelflist status
  $ shelflist status --all
  $ shelflist status --url https://books.example.org --username ada
  $ shelflist status --json | jq -r .tokenEnds`;

/** The session of a command that is run now. */
interface Status {
  service: string;
  reachable: boolean;
  user: string | null;
  /** The source of the token that commands send, or of the password if they log in by themselves. */
  token: 'login' | 'SHELFLIST_TOKEN' | 'SHELFLIST_PASSWORD' | '.env' | null;
  /** Whether the service accepts it; `null` if unknown. */
  accepted: boolean | null;
  tokenEnds: string | null;
  file: string | null;
  mode: string | null;
}

export function defineStatus(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .option('--all', 'list the logins to every service')
    .addHelpText('after', help)
    .action((options: SessionOptions & { json?: boolean; all?: boolean }) =>
      options.all ? listLogins(io, options) : status(io, options),
    );
}

/** A stored login. */
interface Login {
  service: string;
  user: string;
  tokenEnds: string;
  valid: boolean;
  /** Whether commands use it if nothing names a service. */
  default: boolean;
}

async function listLogins(io: Io, options: { json?: boolean }): Promise<void> {
  const last = await readLastLogin();
  const logins = (await readTokenFiles()).flatMap(({ cached }): Login[] => {
    if (cached === undefined) return [];
    const { url, username, expiresAt } = cached;
    const tokenEnds = new Date(expiresAt * 1000).toISOString();
    return [{ service: url, user: username, tokenEnds, valid: isValid(cached), default: url === last }];
  });
  const columns = [
    { name: 'service' },
    { name: 'user' },
    { name: 'tokenEnds', isTime: true },
    { name: 'valid' },
    { name: 'default' },
  ] as const;
  const count = await writeRecords(io, columns, logins, options);
  noteEmpty(io, count, options, 'no stored login');
}

async function status(io: Io, options: SessionOptions & { json?: boolean }): Promise<void> {
  const { found, failure } = await readStatus(io, options);
  if (options.json) await writeJson(io, found);
  else await writeRecords(io, [{ name: 'item' }, { name: 'value' }], describe(found), {});
  if (failure) throw failure;
}

/** Reads the status, and the error that other commands would fail with. */
async function readStatus(io: Io, options: SessionOptions): Promise<{ found: Status; failure?: Failure }> {
  const target = await findTarget(io, options);
  const { url } = target;
  const login = await readLogin(io, target, options);
  const { user, token, isGiven, file } = login;
  const ends = token === undefined ? (file?.cached?.expiresAt ?? 0) : expiryOf(token);
  const found: Status = {
    service: url,
    reachable: false,
    user: user ?? null,
    token: token === undefined ? null : isGiven ? 'SHELFLIST_TOKEN' : 'login',
    accepted: null,
    tokenEnds: ends === 0 ? null : new Date(ends * 1000).toISOString(),
    file: file?.path ?? null,
    mode: file?.mode ?? null,
  };
  const client = connect({ url, ...(token !== undefined && { token }) }, io.env);
  try {
    const { accepted } = await client.check();
    found.reachable = true;
    found.accepted = token === undefined ? null : accepted;
    if (accepted) return { found };
    const credentials = await findRenewal(io, target, options);
    if (credentials !== undefined) {
      found.user = credentials.username;
      found.token = credentials.source === 'from .env' ? '.env' : 'SHELFLIST_PASSWORD';
      return { found };
    }
    return { found, failure: loginNeeded(io, target, login) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    found.reachable = error.code !== 'unreachable' && error.code !== 'bad_response';
    return { found, failure: error };
  } finally {
    client.close();
  }
}

function describe(status: Status): { item: string; value: string }[] {
  const { service, reachable, user, token, accepted, tokenEnds, file, mode } = status;
  return [
    { item: 'service', value: `${service} (${reachable ? 'reachable' : 'not reachable'})` },
    { item: 'user', value: user ?? (token === null ? 'not logged in' : 'the user that the token names') },
    { item: 'token', value: describeToken(token, accepted) },
    { item: 'ends', value: tokenEnds === null ? '-' : `${formatTime(tokenEnds)} (${remaining(tokenEnds)})` },
    { item: 'kept in', value: file === null ? '-' : `${file} (mode ${mode ?? 'unknown'})` },
  ];
}

function describeToken(token: Status['token'], accepted: boolean | null): string {
  if (token === null) return 'none';
  if (token === 'SHELFLIST_PASSWORD' || token === '.env')
    return `none: commands log in with ${token === '.env' ? 'the password in .env' : token}`;
  const origin = token === 'login' ? 'from login' : 'from SHELFLIST_TOKEN';
  if (accepted === null) return origin;
  return `${origin}, ${accepted ? 'accepted' : 'refused'} by the service`;
}

function remaining(tokenEnds: string): string {
  const seconds = Math.round((Date.parse(tokenEnds) - Date.now()) / 1000);
  if (seconds <= 0) return 'expired';
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`;
}
