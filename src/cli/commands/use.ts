import type { Command } from 'commander';
import { ShelflistError } from '../../catalogue/errors.ts';
import { addJsonOption } from '../arguments.ts';
import { notice, programName, withProgramName, type Io } from '../io.ts';
import { connect } from '../session/connect.ts';
import { chooseUsualUrl, findEnvironmentUrl, findTarget, findUsualUrl } from '../session/target.ts';
import { write, writeJson } from '../ui/write.ts';

const help = `
Without an address, shows the service that commands in this folder talk to, and why:
the one in SHELFLIST_URL, else the one chosen here or with \`shelflist login --url\`,
else the one that the .env in this folder describes, else that of the only login, else
http://127.0.0.1:8080.

A choice made in a folder whose .env describes a service is for that folder. One made
elsewhere is for all folders without such a .env.

Examples:
  $ shelflist use
  $ shelflist use https://books.example.org
  $ shelflist use --forget --json`;

/** How long the service may take to answer. */
const maxCheckMs = 3000;

interface UseOptions {
  forget?: boolean;
  json?: boolean;
}

export function defineUse(command: Command, io: Io): void {
  addJsonOption(command)
    .argument('[url]', 'the service to use from now on')
    .option('--forget', 'forget the chosen service')
    .addHelpText('after', help)
    .action((url: string | undefined, options: UseOptions) => use(io, url, options));
}

async function use(io: Io, url: string | undefined, { forget, json }: UseOptions): Promise<void> {
  if (forget && url !== undefined)
    throw new ShelflistError('usage', { message: '--forget needs no address; leave one of them out' });
  const isChange = forget === true || url !== undefined;
  if (isChange) await chooseUsualUrl(io, url);
  const isNamed = (await findEnvironmentUrl(io)) !== undefined;
  const used = {
    url: (await findTarget(io, {})).url, // Checked: it may hold a password.
    source: isNamed ? 'environment SHELFLIST_URL' : (await findUsualUrl(io)).source,
  };
  if (json) await writeJson(io, used);
  else await write(io, `${used.url}\t${used.source}\n`);
  if (isNamed && isChange) notice(io, 'SHELFLIST_URL is set, and comes first; unset it');
  if (url !== undefined) await warnIfDead(io, url);
}

/** The choice is kept even if the service does not answer: it may not have been started yet. */
async function warnIfDead(io: Io, url: string): Promise<void> {
  const client = connect({ url, timeoutMs: maxCheckMs });
  try {
    await client.check();
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    notice(io, withProgramName(io, error.message));
    notice(io, `the choice is kept; to forget it: ${programName(io)} use --forget`);
  } finally {
    client.close();
  }
}
