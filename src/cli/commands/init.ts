import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { formatDotenv } from '../../config/describe-settings.ts';
import { createPrivateFile } from '../../lib/atomic-file.ts';
import { settings } from '../../config/settings.ts';
import { articlesOfSystem } from '../../config/system-articles.ts';
import { addJsonOption } from '../arguments.ts';
import { notice, type Io, writeJson } from '../io.ts';

const help = `
The file is readable only by you (mode 0600). It contains a random secret, the username
and a random password, and leading articles of your language (SORT_ARTICLES), which
the order by title ignores. An existing file is never overwritten.

Examples:
  $ shelflist init
  $ shelflist init --username ada
  $ shelflist init --if-missing --json`;

export function defineInit(command: Command, io: Io): void {
  addJsonOption(command)
    .option('-u, --username <name>', 'the username of the service', 'librarian')
    .option('--if-missing', 'do nothing if .env exists')
    .addHelpText('after', help)
    .action((options: InitOptions) => init(io, options));
}

interface InitOptions {
  username: string;
  ifMissing?: boolean;
  json?: boolean;
}

async function init(io: Io, { username, ifMissing, json }: InitOptions): Promise<void> {
  const file = join(io.directory, '.env');
  const written = await createDotenv(io, file, username);
  if (!written && !ifMissing)
    throw new CommandError('failed', { message: `${file} exists already; it was not changed` });
  if (json) await writeJson(io, { file, written });
  else if (written) {
    notice(io, `wrote ${file}, which only you can read`);
    notice(io, `with a random secret, the user ${username} and a random password`);
  }
}

/** Returns `false` if it exists already. */
async function createDotenv(io: Io, file: string, username: string): Promise<boolean> {
  try {
    await createPrivateFile(file, await dotenv(io, username));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function dotenv({ env }: Io, username: string): Promise<string> {
  if (username === '') throw new CommandError('usage', { message: 'the username is empty' });
  if (/[\r\n']/.test(username))
    throw new CommandError('usage', { message: "the username contains ' or a line break" });
  const { randomBytes } = await import('node:crypto'); // Loaded only here, for a fast start.
  const { databaseUrl, host, port } = settings;
  const values = {
    secretToken: randomBytes(32).toString('hex'),
    authUsername: username,
    authPassword: randomBytes(18).toString('base64url'),
    databaseUrl: databaseUrl.default,
    host: host.default,
    port: port.default,
    sortArticles: articlesOfSystem(env), // Nobody remembers how to write them.
  };
  return `# Written by \`shelflist init\`. Keep it secret: it gives access to the catalogue.\n\n${formatDotenv(values)}`;
}
