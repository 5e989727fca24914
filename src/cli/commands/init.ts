import { join } from 'node:path';
import type { Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { addJsonOption } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { writeJson } from '../output/records.ts';
import { createPrivateFile } from '../private-file.ts';

const help = `
The file is yours alone (mode 0600) and holds a random secret, the username and a
random password. One that is there already is never overwritten.

Examples:
  $ shelflist init
  $ shelflist init --username ada
  $ shelflist init --if-missing --json`;

export function defineInit(command: Command, io: Io): void {
  addJsonOption(command)
    .option('-u, --username <name>', 'the one user of the service', 'librarian')
    .option('--if-missing', 'do nothing when there is a .env already')
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
  const written = await createDotenv(file, username);
  if (!written && !ifMissing)
    throw new ShelflistError('failed', { message: `${file} is there already; it was left as it is` });
  if (json) await writeJson(io, { file, written });
  else if (written) {
    notice(
      io,
      `wrote ${file}: a random secret, the user ${username} and a random password; only you can read it`,
    );
  }
}

/** `false` when there is one already. */
async function createDotenv(file: string, username: string): Promise<boolean> {
  try {
    await createPrivateFile(file, await dotenv(username));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The quotes keep every character of a username; the random values need none. */
async function dotenv(username: string): Promise<string> {
  if (username === '') throw new ShelflistError('usage', { message: 'a username is not empty' });
  if (/[\r\n']/.test(username))
    throw new ShelflistError('usage', { message: "a username holds no ' and no line break" });
  const { randomBytes } = await import('node:crypto'); // Only what needs it waits for it to load.
  return `# Written by \`shelflist init\`. Keep it to yourself: it opens the catalogue.

# The secret that signs tokens. A new one ends every login.
SECRET_TOKEN=${randomBytes(32).toString('hex')}

# The one user.
AUTH_USERNAME='${username}'
AUTH_PASSWORD=${randomBytes(18).toString('base64url')}

# Where the books are: file:PATH, mongodb://… or mongodb+srv://…
DATABASE_URL=file:./data

# Where the service listens.
HOST=127.0.0.1
PORT=8080
`;
}
