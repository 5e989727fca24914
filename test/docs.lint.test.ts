import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import * as operations from '../src/api/operations.ts';
import type { Operation as OperationRow } from '../src/api/operations.ts';
import { settingsOperations } from '../src/api/settings.ts';
import { policies, type OperationName } from '../src/api/policies.ts';
import { ShelflistError, wireErrorOf, type ErrorCode } from '../src/catalogue/errors.ts';
import { fieldNames, fields, searchedFields, yearField } from '../src/catalogue/fields.ts';
import { columnParts } from '../src/import/column-parts.ts';
import { importHeaders } from '../src/import/headers.ts';
import { fieldSorts } from '../src/catalogue/sorts.ts';
import { tools } from '../src/cli/commands/mcp/tools.ts';
import { commands } from '../src/cli/program/commands.ts';
import { createProgram } from '../src/cli/program/program.ts';
import { flagName, rowOf, settingNames } from '../src/config/settings.ts';
import * as library from '../src/index.ts';
import * as formats from '../src/formats.ts';
import * as storeContract from '../src/store.ts';
import type { AnyConfig } from '../src/server/config.ts';
import { shelflist } from './support/cli.ts';
import {
  codeIn,
  documents,
  inlineCodeOf,
  readDocument,
  sentencesOf,
  tableOf,
  type Row,
} from './support/documents.ts';
import { everything } from './support/document.ts';
import { root } from './support/packed.ts';
import { startService } from './support/service.ts';
import { temporaryFolder } from './support/temp.ts';

/** A table in Markdown, as Prettier writes it. */
function formatTable(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) =>
    Math.max(...[name, ...rows.map((row) => row[name] ?? '')].map((each) => each.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return [line(names), rule, ...rows.map((row) => line(names.map((name) => row[name] ?? '')))].join('');
}

/** Compares the table of a document that has the same first column, or writes it. */
function checkTable(document: string, rows: Parameters<typeof formatTable>[0]): void {
  const path = join(root, document);
  const before = readFileSync(path, 'utf8');
  const table = formatTable(rows);
  const [column = ''] = Object.keys(rows[0] ?? {});
  const after = before.replace(new RegExp(`^\\| ${column} .*\\n(\\|.*\\n)+`, 'm'), () => table);
  if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(path, after);
  else assert.equal(before, after);
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(document: string): string[] {
  const headings = readDocument(document).match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the contributing guide has a command for each file that runs in the long form alone', () => {
  const prefix = 'npm run test:long ';
  const words = tableOf('CONTRIBUTING.md', 'what')
    .flatMap(({ command }) => codeIn(command))
    .flatMap((command) => (command.startsWith(prefix) ? command.slice(prefix.length).split(' ') : []));
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts'));
  const isLong = (name: string) =>
    name.endsWith('.long.test.ts') || /\bonlyLong\b/.test(readFileSync(join(root, 'test', name), 'utf8'));
  const isNamed = (name: string) => words.some((word) => name.includes(word));
  assert.deepEqual(
    files.filter((name) => isLong(name) && !isNamed(name)),
    [],
  );
  assert.deepEqual(
    words.filter((word) => !files.some((name) => name.includes(word))),
    [],
  );
});

describe('every link and every named file exists', () => {
  for (const document of documents) {
    test(document, () => {
      const text = readDocument(document);
      for (const [, link = '', anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)) {
        if (/^[a-z]+:/.test(link)) continue;
        const path = link === '' ? join(root, document) : resolve(root, dirname(document), link);
        assert.ok(existsSync(path), `there is no ${path}`);
        if (anchor !== undefined)
          assert.ok(anchorsOf(path.slice(root.length + 1)).includes(anchor), `${link}#${anchor}`);
      }
      for (const code of inlineCodeOf(document))
        if (/^(src|test|bin|bench|docs)\/[\w./-]+$/.test(code))
          assert.ok(existsSync(join(root, code)), `there is no ${code}`);
      for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:]+)/g))
        assert.ok(Object.hasOwn(manifest.scripts, script), `there is no script ${script}`);
    });
  }
});

test('the index by task names each document', () => {
  const index = readDocument('docs/README.md');
  const links = Array.from(index.matchAll(/\]\(([^)#]+)/g), ([, link = '']) => join('docs', link));
  const named = [...links, ...inlineCodeOf('docs/README.md'), 'docs/README.md'];
  assert.deepEqual(
    documents.filter((name) => !named.includes(name)),
    [],
  );
});

test('guides have no measured figures: these are in docs/scale.md and bench/RESULTS.md, and may change with each run', () => {
  const measured = /\d[\d.,]* ?(?:µs|(?:books|requests) a second|requests\/s)|\d\.\d+ ms/g;
  const own = ['docs/scale.md', 'docs/reliability.md', 'bench/README.md'];
  for (const document of documents.filter(
    (name) => !own.includes(name) && !name.startsWith('docs/decisions/'),
  ))
    assert.deepEqual(readDocument(document).match(measured) ?? [], [], document);
});

describe('guarantees', () => {
  const promising = ['docs/security.md', 'docs/reliability.md'];
  const testsOf = (document: string) => inlineCodeOf(document).filter((code) => /^test\/.+\.ts$/.test(code));

  test('every fault test is named beside a guarantee', () => {
    const named = promising.flatMap(testsOf);
    const unnamed = readdirSync(join(root, 'test/faults'))
      .filter((name) => name.endsWith('.test.ts'))
      .filter((name) => !named.includes(`test/faults/${name}`));
    assert.deepEqual(unnamed, []);
  });

  test('every guarantee names a test', () => {
    for (const document of promising) {
      const rows = ['property', 'risk', 'when'].flatMap((column) => tableOf(document, column));
      assert.ok(rows.length > 8);
      for (const row of rows)
        if (row.applies?.startsWith('no: nothing') !== true)
          assert.match(row.test ?? '', /`(test|src)\/\S+\.ts`/, JSON.stringify(row));
    }
  });
});

/** Every value of a column that contains code, in order. */
const codes = (rows: readonly Row[], column: string) => rows.flatMap((row) => codeIn(row[column]));

describe('tables agree with the code', () => {
  test('fields of a book (UPDATE_SNAPSHOTS=1 writes them)', () => {
    const yes = (names: readonly string[], name: string) => (names.includes(name) ? 'yes' : 'no');
    const rows = fieldNames.map((name) => ({
      field: `\`${name}\``,
      type: fields[name].type,
      'searched by `q`': name === yearField ? 'whole numbers' : yes(searchedFields, name),
      'filter and sort key': yes(fieldSorts, name),
    }));
    checkTable('docs/http-api.md', rows);
  });

  test('column names of an import', async (t) => {
    const { stdout } = await shelflist(['help', 'columns'], { cwd: await temporaryFolder(t) });
    const documented = [...stdout.matchAll(/^(\w+)\n((?: {2}\S.*\n)+)/gm)].map(([, name, lines = '']) => [
      name,
      lines.trim().replace(/\s+/g, ' '),
    ]);
    assert.deepEqual(
      documented,
      columnParts.map((name) => [name, importHeaders[name].headers.join(', ')]),
    );
    assert.match(readDocument('docs/cli.md'), /`shelflist help columns`/);
  });

  test('settings, their defaults and their flags', async () => {
    const documented = tableOf('docs/configuration.md', 'variable').map((row) => ({
      variable: codeIn(row.variable).join(),
      default: codeIn(row.default).join() || row.default,
      flag: codeIn(row.flag).join(),
    }));
    const expected = settingNames.map((name) => {
      const { variable, default: value = '', isRequired, flag } = rowOf(name);
      return {
        variable,
        default: value || (isRequired ? '(required)' : '(none)'),
        flag: flag ? flagName(name) : '',
      };
    });
    assert.deepEqual(documented, expected);
    const serve = (await defineCommands()).find(({ name }) => name === 'serve');
    const flags = [...documented.flatMap(({ flag }) => flag || []), '--init', '--open'];
    assert.deepEqual(flags.sort(), serve?.options.sort());
  });

  test('errors: code, status and message', () => {
    const sent = tableOf('docs/http-api.md', 'code');
    const local = tableOf('docs/library.md', 'code');
    for (const row of [...sent, ...local]) {
      const error = new ShelflistError(codeIn(row.code)[0] as ErrorCode);
      assert.equal(row.status, error.status?.toString(), error.code);
      if (row.message !== undefined) assert.deepEqual(codeIn(row.message), [wireErrorOf(error.code).message]);
    }
    const source = readFileSync(join(root, 'src/catalogue/errors.ts'), 'utf8');
    const all = [...source.matchAll(/^ {2}([a-z_]+): (?:\{|')/gm)].map(([, code = '']) => code);
    assert.ok(all.length > 20);
    assert.deepEqual(codes([...sent, ...local], 'code').sort(), all.sort());
  });

  test('endpoints (UPDATE_SNAPSHOTS=1 writes them), parameters and metrics', async (t) => {
    const service = await startService(t, {
      databaseUrl: 'memory:',
      metrics: true,
      page: true,
      storePassword: () => undefined,
      settings: everything.settings,
    });
    const document = JSON.parse(
      (await requestText(`${service.url}/openapi.json`)).replace(/^\uFEFF/, ''),
    ) as {
      paths: Record<string, Record<string, Operation>>;
    };
    interface Operation {
      summary: string;
      security: unknown[];
      parameters?: { name: string; in: string }[];
      responses: Record<string, unknown>;
    }
    const actions = new Map(
      Object.entries<OperationRow>({ ...operations, ...settingsOperations }).map(
        ([name, { method, path }]) => [`${method} ${path}`, policies[name as OperationName].access],
      ),
    );
    const rows = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([method, { summary, security, responses }]) => {
          const request = `${method.toUpperCase()} ${path}`;
          const action = actions.get(request) ?? 'public';
          return {
            request: `\`${request}\``,
            token: security.length > 0 ? 'yes' : 'no',
            action: action === 'public' ? '' : `\`${action}\``,
            success: Object.keys(responses).find((status) => status.startsWith('2')) ?? '',
            'what it does': summary,
          };
        }),
    );
    checkTable('docs/http-api.md', rows);

    const { parameters = [] } = document.paths['/books']?.get ?? {};
    const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    assert.deepEqual(codes(tableOf('docs/http-api.md', 'parameter'), 'parameter').sort(), names.sort());

    const metrics = await requestText(`${service.url}/metrics`);
    assert.deepEqual(
      codes(tableOf('docs/operations.md', 'metric'), 'metric').sort(),
      Array.from(metrics.matchAll(/^# TYPE (\S+) /gm), ([, name]) => name).sort(),
    );
  });

  test('commands (UPDATE_SNAPSHOTS=1 writes them)', async () => {
    assert.deepEqual(Object.keys(commands).sort(), (await defineCommands()).map(({ name }) => name).sort());
    const all = Object.entries(commands);
    const groups = [...new Set(all.map(([, { group }]) => group))];
    const rows = groups.map((group) => ({
      group: group.replace(':', ''),
      commands: all.flatMap(([name, row]) => (row.group === group ? `\`${name}\`` : [])).join(', '),
    }));
    checkTable('docs/cli.md', rows);
  });

  test('tools of assistants', () => {
    const named = tableOf('docs/cli.md', 'tool').map(({ tool = '' }) => tool);
    assert.deepEqual(
      named,
      Object.keys(tools).map((name) => `\`${name}\``),
    );
  });

  test('exit statuses and variables of commands', async (t) => {
    const cwd = await temporaryFolder(t);
    const namesIn = (text: string) =>
      [...text.matchAll(/^ {2}(\w+(?:, \w+)*) {2,}/gm)].map(([, name]) => name);
    const statuses = await shelflist(['help', 'exit-codes'], { cwd });
    const codesOf = (heading: string) =>
      codeIn(readDocument('docs/cli.md').split(`\n## ${heading}\n\n`)[1]?.split('\n\n', 1)[0]);
    assert.deepEqual(codesOf('Exit statuses'), namesIn(statuses.stdout));
    const variables = await shelflist(['help', 'environment'], { cwd });
    const named = codesOf('Environment').filter((code) => /^[A-Z_]+$/.test(code));
    assert.deepEqual(
      named,
      namesIn(variables.stdout).flatMap((names = '') => names.split(', ')),
    );
  });

  test('the library: configuration, methods of the client, and exports', () => {
    // The compiler complains when a field is missing here.
    const configuration: Record<keyof AnyConfig, true> = {
      errorDetails: true,
      identify: true,
      ...{
        secretToken: true,
        secretTokenPrevious: true,
        authUsername: true,
        authPassword: true,
        storePassword: true,
        settings: true,
      },
      ...{
        sessionHours: true,
        databaseUrl: true,
        store: true,
        prefix: true,
        acceptBearer: true,
        page: true,
        catalogueName: true,
        pageLanguage: true,
        publicRead: true,
        readLimit: true,
        bookLookup: true,
        metrics: true,
      },
      ...{ corsOrigins: true, trustedProxies: true, bodyLimitBytes: true, bulkLimitBytes: true },
      ...{
        historyDays: true,
        historyMaxBytes: true,
        sortArticles: true,
        sortNames: true,
        requestTimeoutMs: true,
        logger: true,
        tls: true,
        publicPath: true,
        authenticate: true,
        authorize: true,
        tokens: true,
        onChange: true,
        onRequest: true,
        onResponse: true,
      },
    };
    assert.deepEqual(
      codes(tableOf('docs/library.md', 'field'), 'field').sort(),
      Object.keys(configuration).sort(),
    );
    const text = readDocument('docs/library.md');
    for (const name of Object.keys({ ...library, ...storeContract }))
      assert.match(text, new RegExp(`\\b${name}\\b`), name);
    const files = readDocument('docs/embedding/files.md');
    for (const name of Object.keys(formats)) assert.match(files, new RegExp(`\\b${name}\\b`), name);
  });

  test('methods of the client (UPDATE_SNAPSHOTS=1 writes them)', () => {
    const source = readFileSync(join(root, 'src/client/methods.ts'), 'utf8');
    const [declaration = ''] = /^export interface Client \{\n[^]*?^\}/m.exec(source) ?? [];
    const methods = [...declaration.matchAll(/\/\*\*([^]*?)\*\/\n {2}(\w+)\((.*)\): /g)];
    assert.deepEqual(methods.map(([, , name]) => name).sort(), Object.keys(library.createClient()).sort());
    const rows = methods.map(([, comment = '', name = '', parameters = '']) => {
      const names = Array.from(parameters.matchAll(/(\w+\??): (\w+)/g), ([, each = '', type]) =>
        type === 'CallOptions' ? '' : each,
      );
      const sentences = comment.replaceAll(/\s*\n\s+\*/g, '').replaceAll(/\{@link (\w+)\}/g, '`$1`');
      const [first = ''] = /^.*?[.:;](?=\s|$)/.exec(sentences.trim()) ?? [];
      return {
        method: `\`${name}(${names.filter(Boolean).join(', ')})\``,
        'what it does': first.replace(/[.:;]$/, ''),
      };
    });
    checkTable('docs/library.md', rows);
  });

  test('options of the benchmark', () => {
    const source = readFileSync(join(root, 'bench/src/arguments.ts'), 'utf8');
    const options = [...source.matchAll(/^ {2}(--\w+)/gm)].map(([, name = '']) => name);
    assert.ok(options.length > 5);
    const documented = codes(tableOf('bench/README.md', 'option'), 'option');
    assert.deepEqual(documented.map((code) => code.split(' ', 1)[0]).sort(), options.sort());
  });

  test('folders of the source code', () => {
    const documented = codes(tableOf('docs/architecture.md', 'folder'), 'folder');
    const foldersIn = (path: string) =>
      readdirSync(join(root, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${path}${name}/`);
    const deeper = ['src/cli/', 'src/server/', 'src/store/'].flatMap(foldersIn);
    const shallow = foldersIn('src/').filter((folder) => folder !== 'src/cli/');
    const missing = [...shallow, ...deeper].filter((folder) => !documented.includes(folder));
    assert.deepEqual(missing, []);
  });
});

async function requestText(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** Every visible command with its own long options: those that not all commands of its kind have. */
async function defineCommands(): Promise<{ name: string; options: string[] }[]> {
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    directory: root,
  };
  const program = await createProgram(['completion'], io);
  const optionsOf = (command: Command) => {
    const all = [command, ...command.commands].flatMap((each) => each.options.map(({ long }) => long ?? ''));
    const common = all.includes('--url') ? ['--json', '--url', '--username'] : ['--json'];
    return all.filter((option) => !common.includes(option)).sort();
  };
  return program.commands
    .filter((command) => command.name() !== 'complete')
    .map((command) => ({ name: command.name(), options: optionsOf(command) }));
}

test('docs/deployment.md installs the version of package.json', () => {
  const versions = [...readDocument('docs/deployment.md').matchAll(/shelflist-(\d+\.\d+\.\d+)\.tgz/g)].map(
    ([, version]) => version,
  );
  assert.deepEqual([...new Set(versions)], [manifest.version]);
});

test('the gate runs the checks that CONTRIBUTING.md names', () => {
  const gate = readDocument('.ci/run');
  for (const command of ['npm ci && npm test', 'npm run test:slow', 'npm run lint', 'npm run typecheck'])
    assert.match(gate, new RegExp(`^${command}\\b`, 'm'));
});

test('the README names the commands that start the service and run the tests, each as one line near its top', () => {
  const lines = readDocument('README.md').split('\n').slice(0, 60);
  for (const command of ['npm ci && npm start', 'npm ci && npm test'])
    assert.ok(lines.includes(command), command);
});

describe('style', () => {
  test('every decision has a context, a decision, a consequence and a figure', () => {
    const parts = ['Context', 'Decision', 'Consequence', 'Figure'];
    for (const document of documents.filter((name) => name.startsWith('docs/decisions/'))) {
      const found = [...readDocument(document).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part);
      assert.deepEqual(
        found.filter((part) => parts.includes(part ?? '')),
        parts,
        document,
      );
    }
  });

  test('headings are topics, not questions', () => {
    for (const document of documents)
      for (const heading of readDocument(document).match(/^#+ .*$/gm) ?? [])
        assert.doesNotMatch(heading, /\?/, document);
  });

  test('a sentence has at most 25 words', () => {
    const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    for (const document of documents) {
      const long = sentencesOf(document).filter((sentence) => wordsOf(sentence).length > 25);
      assert.deepEqual(long, [], document);
    }
  });

  test('documents use no retired phrases', () => {
    const old =
      /\b(is no|are no|so many|what became of|whoever|stands for|as it stands|at the most|as good as|no word|mends?|unsettled|verdicts?|misuse|underWay|whole list)\b/gi;
    for (const document of documents) assert.deepEqual(readDocument(document).match(old) ?? [], [], document);
  });
});
