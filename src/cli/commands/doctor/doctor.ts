import type { Command } from 'commander';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { addFormatOptions, addServiceOptions } from '../../arguments.ts';
import { checkClient } from './client-checks.ts';
import { type Finding, checkService } from './service-checks.ts';
import { counted, plain, type Io } from '../../io.ts';
import { writeRecords, type OutputOptions } from '../../ui/records.ts';
import { createPaint, write } from '../../ui/terminal.ts';
import type { SessionOptions } from '../../session/target.ts';

const help = `
Checks the settings and the store of a service in this folder; the service that
commands talk to, its clock, and the login; and who can read .env and the tokens.
Nothing is changed. The exit status is 1 if there is a problem.

Examples:
  $ shelflist doctor
  $ shelflist doctor --url https://books.example.org --username ada
  $ shelflist doctor --json | jq -r '.[] | select(.state == "problem").fix'
  $ shelflist doctor --format csv`;

type DoctorOptions = SessionOptions & OutputOptions;

export function defineDoctor(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .addHelpText('after', help)
    .action((options: DoctorOptions) => examine(io, options));
}

const columns = [{ name: 'check' }, { name: 'state' }, { name: 'finding' }, { name: 'fix' }] as const;

async function examine(io: Io, options: DoctorOptions): Promise<void> {
  const forPerson = io.stdout.isTTY && !options.json && options.format === undefined;
  const describe = createDescription(io);
  const findings: Finding[] = [];
  for (const checks of [checkService(io), checkClient(io, options)]) {
    for await (const finding of checks) {
      findings.push(finding);
      if (forPerson) await write(io, describe(finding)); // At once: the next check may take a while.
    }
  }
  if (!forPerson) await writeRecords(io, columns, findings, options);
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (problems === 0) return;
  throw new ShelflistError('failed', {
    message: `${counted(problems, 'problem')}; see the fix for each above`,
  });
}

/** Formats a finding for a terminal, where a table would truncate the commands. */
function createDescription(io: Io): (finding: Finding) => string {
  const paint = createPaint(io);
  const labels = {
    ok: paint('green', 'ok'),
    note: paint('yellow', 'note'),
    problem: paint('red', 'problem'),
  };
  return ({ check, state, finding, fix }) => {
    const advice = fix === undefined ? '' : `    fix: ${paint('bold', plain(fix))}\n`;
    return `${labels[state]}  ${check}: ${plain(finding)}\n${advice}`;
  };
}
