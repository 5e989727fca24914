import type { Command } from 'commander';
import { ShelflistError } from '../../errors.ts';
import { addFormatOptions, addServiceOptions } from '../arguments.ts';
import { checkClient } from '../doctor/client-checks.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkService } from '../doctor/service-checks.ts';
import { counted, plain, type Io } from '../io.ts';
import { write, writeRecords, type OutputOptions } from '../output/records.ts';
import { createPaint } from '../output/style.ts';
import type { SessionOptions } from '../login.ts';

const help = `
It looks at the settings and the store of a service in this folder, at the service
that commands talk to, its clock, and the login; at who can read .env and the
tokens. Nothing is changed. The exit status is 1 if there is a problem.

Examples:
  $ shelflist doctor
  $ shelflist doctor --url https://books.example.org --username ada
  $ shelflist doctor --json | jq -r '.[] | select(.state == "problem").mend'
  $ shelflist doctor --format csv`;

type DoctorOptions = SessionOptions & OutputOptions;

export function defineDoctor(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .addHelpText('after', help)
    .action((options: DoctorOptions) => examine(io, options));
}

const columns = [{ name: 'check' }, { name: 'state' }, { name: 'finding' }, { name: 'mend' }] as const;

async function examine(io: Io, options: DoctorOptions): Promise<void> {
  const forPerson = io.stdout.isTTY && !options.json && options.format === undefined;
  const describe = createDescription(io);
  const findings: Finding[] = [];
  for (const checks of [checkService(io), checkClient(io, options)]) {
    for await (const finding of checks) {
      findings.push(finding);
      if (forPerson) await write(io, describe(finding)); // At once: the next one may take its time.
    }
  }
  if (!forPerson) await writeRecords(io, columns, findings, options);
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (problems === 0) return;
  throw new ShelflistError('failed', {
    message: `${counted(problems, 'problem')}; what mends it stands with it`,
  });
}

/** A table would cut off the commands. */
function createDescription(io: Io): (finding: Finding) => string {
  const paint = createPaint(io);
  const marks = { ok: paint('green', 'ok'), note: paint('yellow', 'note'), problem: paint('red', 'problem') };
  return ({ check, state, finding, mend }) => {
    const advice = mend === undefined ? '' : `    to mend it: ${paint('bold', plain(mend))}\n`;
    return `${marks[state]}  ${check}: ${plain(finding)}\n${advice}`;
  };
}
