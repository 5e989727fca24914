import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { notice, type Io } from '../io.ts';
import { createPrivateFile } from '../private-file.ts';

const help = `
The file is yours alone (mode 0600) and holds a random secret, the username and a
random password. One that is there already is never overwritten.

Examples:
  $ shelflist init
  $ shelflist init --username ada`;

export function initCommand(io: Io): Command {
  return new Command('init')
    .description('write a .env file with a random secret and password')
    .option('-u, --username <name>', 'the one user of the service', 'librarian')
    .option('--if-missing', 'do nothing when there is a .env already')
    .addHelpText('after', help)
    .action(async ({ username, ifMissing }: { username: string; ifMissing?: boolean }) => {
      const path = join(io.directory, '.env');
      try {
        await createPrivateFile(path, dotenv(username));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        if (ifMissing) return;
        throw new ShelflistError('failed', { message: `${path} is there already; it was left as it is` });
      }
      notice(
        io,
        `wrote ${path}: a random secret, the user ${username} and a random password; only you can read it`,
      );
    });
}

/** The quotes keep every character of a username; the random values need none. */
function dotenv(username: string): string {
  if (username === '') throw new ShelflistError('usage', { message: 'a username is not empty' });
  if (/[\r\n']/.test(username))
    throw new ShelflistError('usage', { message: "a username holds no ' and no line break" });
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
