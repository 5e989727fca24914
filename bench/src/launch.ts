import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from './answer.ts';
import type { Settings } from './peers/support/settings.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import type { Store, Target } from './targets.ts';

/** The built program of this checkout. */
export const ownProgram = join(import.meta.dirname, '../../dist/bin/shelflist.js');

const credentials = {
  secret: 'a secret of the benchmark, which has more than 32 bytes',
  username: 'librarian',
  password: 'correct horse battery staple',
};

/** What the CLI logs in with, for commands that outlast a token. */
export const clientLogin = {
  SHELFLIST_USERNAME: credentials.username,
  SHELFLIST_PASSWORD: credentials.password,
};

/** What a login sends. */
export const loginBody = JSON.stringify({
  username: credentials.username,
  password: credentials.password,
});

export interface OurOptions {
  /** The program to start: of this checkout, or of another one. */
  readonly program: string;
  readonly cwd: string;
  readonly database: string;
  readonly workers: number;
  readonly nodeArguments: readonly string[];
}

/** Starts our program. */
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
      // The books that a measurement begins with come in few large bodies.
      BULK_LIMIT_BYTES: String(64 * 1024 * 1024),
    },
  });
}

export interface PeerOptions {
  readonly cwd: string;
  readonly database: string;
  /** The file with the books that it begins with. */
  readonly books: string;
  /** What the ceiling answers, by method. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** Starts what ours is compared with. */
export async function launchPeer(
  { peer, stores }: Target,
  store: Store,
  { cwd, database, books, answers: answered }: PeerOptions,
): Promise<ServerProcess> {
  const answers = join(cwd, 'answers.json');
  await writeFile(answers, JSON.stringify(answered));
  const kept = stores[store];
  const settings: Settings = {
    ...credentials,
    database,
    books,
    answers,
    ...(kept !== 'none' && { store: kept }),
  };
  return startServer([join(import.meta.dirname, `peers/${peer}.js`)], {
    cwd,
    env: { PEER_SETTINGS: JSON.stringify(settings) },
  });
}
