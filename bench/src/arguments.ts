import { parseArgs } from 'node:util';
import type { Store } from './targets.ts';

export interface Arguments {
  /** The workloads to measure; empty: all. */
  readonly workloads: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly stores: readonly Store[];
  /** A CSV file with the books. */
  readonly data: string | undefined;
  /** The program of another checkout, to measure instead. */
  readonly program: string | undefined;
  readonly isSmoke: boolean;
  readonly isProfile: boolean;
  /** Whether to fail if a request needs more CPU than its limit, beside bare node:http in the same run. */
  readonly isGate: boolean;
  /** Whether to write the results to RESULTS.md and results.json. */
  readonly write: boolean;
  /** Whether to write RESULTS.md from results.json, without measuring. */
  readonly isTablesOnly: boolean;
}

export const usage = `npm --prefix bench start -- [WORKLOAD…] [options]

  --store STORE   embedded or mongodb (both)
  --rounds N      measurements of each server, in turn (3)
  --seconds N     length of each measurement (2)
  --data FILE     the books.csv of goodbooks-10k, instead of a stand-in
  --program FILE  measure the dist/bin/shelflist.cjs of another checkout instead
  --write         write the results to bench/RESULTS.md and bench/results.json
  --tables        write bench/RESULTS.md from bench/results.json, without measuring
  --profile       show where shelflist spends its time, instead of measuring
  --gate          measure only what has a limit of CPU beside node:http; exit with 1 above it
  --smoke         run each workload once and briefly, to check that it works

Workloads: `;

/** @throws {Error} An argument is invalid. */
export function readArguments(known: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      store: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      data: { type: 'string' },
      program: { type: 'string' },
      write: { type: 'boolean', default: false },
      tables: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      gate: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
    },
  });
  for (const name of positionals) if (!known.includes(name)) throw new Error(`there is no workload ${name}`);
  if (values.smoke && values.write) throw new Error('--smoke measures nothing; leave --write out');
  return {
    workloads: positionals,
    rounds: values.smoke ? 1 : readNumber('rounds', values.rounds ?? '3'),
    seconds: values.smoke ? 0.2 : readNumber('seconds', values.seconds ?? '2'),
    stores: values.store === undefined ? ['embedded', 'mongodb'] : [readStore(values.store)],
    data: values.data,
    program: values.program,
    isSmoke: values.smoke,
    isGate: values.gate,
    isProfile: values.profile,
    write: values.write,
    isTablesOnly: values.tables,
  };
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${name} is a number above 0`);
}

function readStore(text: string): Store {
  if (text === 'embedded' || text === 'mongodb') return text;
  throw new Error('--store is embedded or mongodb');
}
