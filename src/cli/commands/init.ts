import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import {
  createDotenv,
  defaultUsername,
  findUsernameProblem,
  formatFirstDotenv,
} from '../../config/create-dotenv.ts';
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
    .option('-u, --username <name>', 'the username of the service', defaultUsername)
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
  const problem = findUsernameProblem(username);
  if (problem !== undefined) throw new CommandError('usage', { message: problem });
  const file = join(io.directory, '.env');
  const written = await createDotenv(io.directory, await formatFirstDotenv(io.env, { username }));
  if (!written && !ifMissing)
    throw new CommandError('failed', { message: `${file} exists already; it was not changed` });
  if (json) await writeJson(io, { file, written });
  else if (written) {
    notice(io, `wrote ${file}, which only you can read`);
    notice(io, `with a random secret, the user ${username} and a random password`);
  }
}
