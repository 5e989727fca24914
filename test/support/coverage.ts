import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { convert } from 'ast-v8-to-istanbul';

type ScriptCoverage = Profiler.ScriptCoverage;

/** It has no types. */
const { mergeProcessCovs } = createRequire(import.meta.url)('@bcoe/v8-coverage') as {
  mergeProcessCovs: (processes: readonly { result: readonly ScriptCoverage[] }[]) => { result: ScriptCoverage[] };
}; // prettier-ignore

/** What tests ran of a source. */
export interface FileCoverage {
  /** Relative to the sources. */
  readonly name: string;
  readonly lines: Count;
  readonly branches: Count;
  /** Where the branches start that no test took: `line:column`, from 1. */
  readonly missed: readonly string[];
}

/** How many there are, and how many ran. */
interface Count {
  readonly all: number;
  readonly run: number;
}

/**
 * Reads what processes and threads have written to a folder (`NODE_V8_COVERAGE`), of the compiled modules in another one. What
 * was killed has written nothing. A module that was never loaded counts as not run at all.
 */
export async function readCoverage(
  written: string,
  compiled: string,
  modules: readonly string[],
): Promise<FileCoverage[]> {
  let merged: readonly ScriptCoverage[] = [];
  for (const file of readdirSync(written).filter((name) => name.endsWith('.json'))) {
    const { result } = JSON.parse(readFileSync(join(written, file), 'utf8')) as { result: ScriptCoverage[] };
    const own = result.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(compiled));
    if (own.length > 0) ({ result: merged } = mergeProcessCovs([{ result: merged }, { result: own }]));
  }
  const found = new Map(merged.map((script) => [fileURLToPath(script.url), script]));
  const files: FileCoverage[] = [];
  for (const module of modules) {
    const path = join(compiled, module);
    files.push(await coverageOf(path, relative(compiled, path), found.get(path)));
  }
  return files;
} // prettier-ignore

/** Maps what ran of a compiled module to its source. */
async function coverageOf(
  path: string,
  name: string,
  script: ScriptCoverage | undefined,
): Promise<FileCoverage> {
  const code = readFileSync(path, 'utf8');
  const [, encoded = ''] = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(code) ?? [];
  const whole = { startOffset: 0, endOffset: code.length, count: 0 };
  const nothing = [{ functionName: '', ranges: [whole], isBlockCoverage: true }];
  const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { sources: string[] };
  const sources = map.sources.map((source) => join(dirname(path), source));
  const data = await convert({
    code,
    sourceMap: {
      ...map,
      sources,
      sourcesContent: sources.map((source) => readFileSync(source, 'utf8')),
    } as never,
    coverage: { url: `file://${path}`, functions: script?.functions ?? nothing },
    ast: parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }) as never,
  });
  const lines = new Map<number, boolean>();
  const missed: string[] = [];
  let branches = 0;
  for (const { statementMap, s, branchMap, b } of Object.values(data) as unknown as IstanbulCoverage[]) {
    for (const [id, { start }] of Object.entries(statementMap))
      lines.set(start.line, (s[id] ?? 0) > 0 || lines.get(start.line) === true);
    for (const [id, { loc, locations }] of Object.entries(branchMap))
      for (const [i, count] of (b[id] ?? []).entries()) {
        branches++;
        // The branch that an `if` without `else` has beside its own has no place.
        const { line = loc.start.line, column = loc.start.column } = locations[i]?.start ?? {};
        if (count === 0) missed.push(`${line}:${column + 1}`);
      }
  }
  return {
    name: name.replaceAll('\\', '/').replace(/\.mjs$/, '.ts'),
    lines: { all: lines.size, run: [...lines.values()].filter(Boolean).length },
    branches: { all: branches, run: branches - missed.length },
    missed,
  };
}

/** The parts of a file's coverage that are read here, as Istanbul keeps them. */
interface IstanbulCoverage {
  readonly statementMap: Readonly<Record<string, Range>>;
  readonly s: Readonly<Record<string, number>>;
  readonly branchMap: Readonly<Record<string, { readonly loc: Range; readonly locations: readonly { readonly start?: Partial<Place> }[] }>>;
  readonly b: Readonly<Record<string, readonly number[]>>;
} // prettier-ignore

interface Range {
  readonly start: Place;
}

/** The line counts from 1, the column from 0. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The folders of which nearly every branch is to be tested: a wrong one loses books, or lets somebody in. */
const strictFolders = ['src/auth', 'src/server/http', 'src/store'];
const wantedBranches = 95;

/** The lines and branches of each folder, and the branches that no test took in the folders that matter most. */
export function formatCoverage(files: readonly FileCoverage[]): string {
  const folders = [...new Set(files.map(({ name }) => dirname(name)))].sort();
  const rows = folders.map((folder) => formatRow(folder, files.filter(({ name }) => dirname(name) === folder)));
  const strict = strictFolders.map((folder) => {
    const own = files.filter(({ name }) => name.startsWith(`${folder}/`));
    const isReached = percentOf(own, 'branches') >= wantedBranches;
    return `${formatRow(folder, own)}  ${isReached ? 'at least' : 'LESS THAN'} ${wantedBranches} % of branches\n${own.map(formatMissed).join('')}`;
  });
  return [
    `coverage by the tests of this run, without processes that were killed or run from dist/:\n`,
    ...rows.map((row) => `${row}\n`),
    `${formatRow('all', files)}\n\n`,
    ...strict,
    '\n',
  ].join('');
} // prettier-ignore

function formatRow(folder: string, files: readonly FileCoverage[]): string {
  const [lines, branches] = (['lines', 'branches'] as const).map((kind) =>
    `${percentOf(files, kind).toFixed(1)} %`.padStart(7),
  );
  return `  ${folder.padEnd(32)} lines ${lines}   branches ${branches}`;
}

function percentOf(files: readonly FileCoverage[], kind: 'lines' | 'branches'): number {
  const sum = (part: keyof Count) => files.reduce((total, file) => total + file[kind][part], 0);
  return sum('all') === 0 ? 100 : (100 * sum('run')) / sum('all');
}

function formatMissed({ name, missed }: FileCoverage): string {
  return missed.length === 0 ? '' : `    ${name} not taken: ${missed.join(' ')}\n`;
}
