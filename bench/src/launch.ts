import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from './answer.ts';
import { pocketBaseProgram } from './pocketbase.ts';
import type { Settings } from './peers/support/settings.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { pocketBase, type Store, type Target } from './targets.ts';

/** The built program of this checkout. */
export const ownProgram = join(import.meta.dirname, '../../dist/bin/shelflist.cjs');

export const credentials = {
  secret: 'a secret of the benchmark, which has more than 32 bytes',
  username: 'librarian',
  password: 'correct horse battery staple',
};

/** The credentials of the CLI, for commands that outlast a token. */
export const clientLogin = {
  SHELFLIST_USERNAME: credentials.username,
  SHELFLIST_PASSWORD: credentials.password,
};

/** The body of a login. */
export const loginBody = JSON.stringify({
  username: credentials.username,
  password: credentials.password,
});

export interface OurOptions {
  /** The program to start: of this checkout, or of another. */
  readonly program: string;
  readonly cwd: string;
  readonly database: string;
  readonly workers: number;
  readonly nodeArguments: readonly string[];
}

/** Starts shelflist. */
export function launchOurs({
  program,
  cwd,
  database,
  workers,
  nodeArguments,
}: OurOptions): Promise<ServerProcess> {
  return startServer([...nodeArguments, program, 'serve', '--port', '0', '--json'], {
    cwd,
    env: {
      SECRET_TOKEN: credentials.secret,
      AUTH_USERNAME: credentials.username,
      AUTH_PASSWORD: credentials.password,
      DATABASE_URL: database,
      WORKERS: String(workers),
      // The initial books arrive in few large bodies.
      BULK_LIMIT_BYTES: String(64 * 1024 * 1024),
    },
  });
}

export interface PeerOptions {
  readonly cwd: string;
  readonly database: string;
  /** The file with the initial books. */
  readonly books: string;
  /** The responses of the `node:http` server, by method. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** Starts a peer. */
export async function launchPeer(
  target: Target,
  store: Store,
  { cwd, database, books, answers: answered }: PeerOptions,
): Promise<ServerProcess> {
  const answers = join(cwd, 'answers.json');
  await writeFile(answers, JSON.stringify(answered));
  const kept = target.stores[store];
  const settings: Settings = {
    ...credentials,
    database,
    books,
    answers,
    ...(kept !== 'none' && { store: kept }),
  };
  const env = { PEER_SETTINGS: JSON.stringify(settings) };
  if (target === pocketBase) return startServer([], { cwd, env, program: pocketBaseProgram });
  return startServer([join(import.meta.dirname, `peers/${target.peer}.js`)], { cwd, env });
}
