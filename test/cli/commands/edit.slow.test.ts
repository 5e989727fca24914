import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { exampleBook, fieldsOf, type Book } from '../../../src/catalogue/book.ts';
import { fieldNames, listFields } from '../../../src/catalogue/fields.ts';
import { program, titleOf, type Outcome } from '../../support/cli.ts';
import { startSession, startStranger } from '../../support/session.ts';
import { noTerminal, terminal } from '../../support/terminal.ts';

const session = await startSession({ after });
const { folder, service } = session;
const drafts = join(folder, 'drafts');
await mkdir(drafts);

/** Drafts are made in a folder of their own, so that what is left of them can be seen. */
const env = { TMPDIR: drafts };

/** Puts a script into the folder; gives its path. */
async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

/** An editor that runs `body` with the draft as `$1`. */
const shellEditor = (name: string, body: string) => script(name, `#!/bin/bash\n${body}\n`);

/** An editor that puts this text into the draft. */
async function typing(text: string): Promise<string> {
  await writeFile(join(folder, 'typed'), text);
  return shellEditor('typist', `cat "${join(folder, 'typed')}" > "$1"`);
}

async function add(fields: Partial<Omit<Book, 'id'>> = {}): Promise<Book> {
  const input = JSON.stringify([{ title: 'Emma', author: 'Jane Austen', year: 1815, ...fields }]);
  await session.run(['import', '-'], { input });
  const { stdout } = await session.run(['list', '--sort', '-id', '--json']);
  const [book] = JSON.parse(stdout) as Book[];
  assert.ok(book);
  return book;
}

const edit = (book: Book, editor: string, options = ''): Promise<Outcome> =>
  session.run(`shelflist edit ${book.id} ${options}`, { env: { ...env, EDITOR: editor } });

async function stored({ id }: Book): Promise<Book> {
  const { stdout } = await session.run(['get', String(id), '--json']);
  const [book] = JSON.parse(stdout) as Book[];
  return book ?? assert.fail(stdout);
}

/** The draft that an error names, which must be the only one that is left; it is taken away. */
async function keptDraft({ stderr }: Outcome): Promise<string> {
  const [, path = ''] =
    /Your text is kept: `shelflist edit \d+ --draft (\S+)` submits it\n$/.exec(stderr) ?? [];
  const [name = '', ...others] = await readdir(drafts);
  assert.deepEqual(others, []);
  assert.ok(path.startsWith(join(drafts, name)), stderr);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(drafts, name))).mode & 0o777, 0o700);
  const text = await readFile(path, 'utf8');
  await session.run('rm -r drafts/*');
  return text;
}

const noDraft = async () => {
  assert.deepEqual(await readdir(drafts), []);
};

describe('what is saved is sent', () => {
  test('the draft is JSON, private, and named for the book', async () => {
    const book = await add();
    const editor = await shellEditor('viewer', `stat -c '%a' "$1"; basename "$1"; cat "$1"`);
    const { stderr } = await edit(book, editor);
    assert.equal(
      stderr,
      `600\nbook-${book.id}.json\n${JSON.stringify(fieldsOf(book), undefined, 2)}\nnothing was changed\n`,
    );
    await noDraft();
  });

  const line = (book: Book) => `${[book.id, ...fieldNames.map((name) => book[name])].join('\t')}\n`;
  const table: [what: string, text: string, change: Partial<Book>][] = [
    ['nothing', '{"title":"Emma","author":"Jane Austen","year":1815}', {}],
    ['one field', '{"title":"Emma","author":"Jane Austen","year":1816}', { year: 1816 }],
    ['every field', '{"title":"A","author":"B","year":-1}', { title: 'A', author: 'B', year: -1 }],
    ['to nothing', '{"title":"","author":"","year":0}', { title: '', author: '', year: 0 }],
    ['a field that is gone stays as it is', '{"title":"A"}', { title: 'A' }],
    ['a byte order mark', '\uFEFF{"title":"A"}', { title: 'A' }],
    ['spaces and line breaks', ' \r\n{ "year" :\r\n7 }\r\n', { year: 7 }],
  ];
  for (const [what, text, change] of table) {
    test(what, async () => {
      const book = await add();
      const expected = { ...book, ...change };
      const { code, stdout, stderr } = await edit(book, await typing(text));
      assert.equal(stdout, line(expected));
      assert.equal(stderr, Object.keys(change).length === 0 ? 'nothing was changed\n' : '');
      assert.equal(code, 0);
      assert.deepEqual(await stored(book), expected);
      await noDraft();
    });
  }

  test('quotes, emoji, line breaks and control characters survive', async () => {
    const title = `"Ünï" 'q' \\n \u{1F9BF} 👩‍👩‍👧 \u001b[31m\n書\t`;
    const book = await add({ title, author: "O'Hara\r\n" });
    const editor = await shellEditor('changer', `sed -i 's/1815/1816/' "$1"`);
    const { code, stdout } = await edit(book, editor, '--json');
    const expected = { ...book, title, author: "O'Hara\r\n", year: 1816 };
    assert.deepEqual(JSON.parse(stdout), [expected]);
    assert.equal(code, 0);
    assert.deepEqual(await stored(book), expected);

    const other = `🪿 "new"\n\\`;
    await edit(book, await typing(JSON.stringify({ title: other })));
    assert.deepEqual(await stored(book), { ...expected, title: other });
  });

  const formats: [options: string, stdout: (id: number) => string][] = [
    ['--json', (id) => `[{"id":${id},"title":"A","author":"Jane Austen","year":1815}]\n`],
    ['--format json', (id) => `[{"id":${id},"title":"A","author":"Jane Austen","year":1815}]\n`],
    ['--format csv', (id) => `id,title,author,year\n${id},A,Jane Austen,1815\n`],
  ];
  for (const [options, expected] of formats) {
    test(options, async () => {
      const book = await add();
      const { code, stdout, stderr } = await edit(book, await typing('{"title":"A"}'), options);
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: expected(book.id), stderr: '' });
    });
  }
});

describe('a draft that cannot be saved is kept, and the error names its file', () => {
  test('of an editor that never stops changing it', async () => {
    const editor = await shellEditor('restless', `printf x >> "$1"`);
    const outcome = await edit(await add(), editor);
    assert.equal(outcome.code, 1);
    assert.match(await keptDraft(outcome), /x{20}$/);
  });

  const table: [what: string, text: string, message: string][] = [
    ['no JSON', '{"title": "A",}', 'nothing was saved: it is not valid JSON (Expected '],
    ['empty', '', 'nothing was saved: it is not valid JSON (Unexpected end '],
    ['a field that is unknown', '{"titel":"A"}', 'nothing was saved: a book has no field "titel"'],
    ['no object', '[1]', `nothing was saved: a book is a JSON object with ${listFields()}`],
    ['a title that is not text', '{"title":7}', 'nothing was saved: title is not a string'],
    [
      'a year that is not a whole number',
      '{"title":"A","year":1815.5}',
      'nothing was saved: year is not an integer from -(2^53-1) to 2^53-1',
    ],
  ];
  for (const [what, text, message] of table) {
    test(what, async () => {
      const book = await add();
      const outcome = await edit(book, await typing(text));
      assert.ok(outcome.stderr.startsWith(`shelflist: ${message}`), outcome.stderr);
      assert.match(outcome.stderr, /\. Your text is kept: /);
      assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 1, stdout: '' });
      assert.deepEqual(await stored(book), book);
      assert.equal(await keptDraft(outcome), text);
    });
  }

  test('as JSON', async () => {
    const book = await add();
    const { code, stdout, stderr } = await edit(book, await typing('x'), '--json');
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    assert.equal(error.code, 'failed');
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.equal(await keptDraft({ code, stdout, stderr: `${error.message}\n` }), 'x');
  });

  /** Somebody else's command, run while the editor is open. */
  const meanwhile = async (command: string, text: string) => {
    await writeFile(join(folder, 'typed'), text);
    const call = command.replace('shelflist', `"${process.execPath}" "${program}"`);
    return shellEditor(
      'meanwhile',
      `${call} > /dev/null 2>&1 || exit 9\ncat "${join(folder, 'typed')}" > "$1"`,
    );
  };
  test('a book changed meanwhile is shown and not overwritten', async () => {
    const book = await add();
    const text = '{"title":"Mine"}';
    const outcome = await edit(book, await meanwhile(`shelflist update ${book.id} -a Theirs`, text));
    const theirs = { ...book, author: 'Theirs' };
    assert.ok(
      outcome.stderr.startsWith(
        `shelflist: book ${book.id} was changed meanwhile; it is now ${JSON.stringify(theirs)}; nothing was saved. `,
      ),
      outcome.stderr,
    );
    assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 1, stdout: '' });
    assert.deepEqual(await stored(book), theirs);
    assert.equal(await keptDraft(outcome), text);
  });

  test('a book changed meanwhile is a JSON error with its own code', async () => {
    const book = await add();
    const editor = await meanwhile(`shelflist update ${book.id} -a Theirs`, '{"title":"Mine"}');
    const { code, stdout, stderr } = await edit(book, editor, '--json');
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    assert.equal(error.code, 'precondition_failed');
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.equal(await keptDraft({ code, stdout, stderr: `${error.message}\n` }), '{"title":"Mine"}');
  });

  test('without changes in the editor, the book changed meanwhile is shown', async () => {
    const book = await add();
    const same = JSON.stringify(fieldsOf(book));
    const editor = await meanwhile(`shelflist update ${book.id} -a Theirs`, same);
    const { code, stdout, stderr } = await edit(book, editor, '--json');
    assert.deepEqual(JSON.parse(stdout), [{ ...book, author: 'Theirs' }]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: 'nothing was changed\n' });
    await noDraft();
  });

  test('a book deleted meanwhile exits with 3', async () => {
    const book = await add();
    const text = '{"title":"Mine"}';
    const outcome = await edit(book, await meanwhile(`shelflist delete ${book.id}`, text));
    assert.ok(
      outcome.stderr.startsWith(`shelflist: book ${book.id} not found. Your text is kept: `),
      outcome.stderr,
    );
    assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code: 3, stdout: '' });
    assert.equal(await keptDraft(outcome), text);
  });
});

describe('a text that cannot be saved', () => {
  /** An editor that replaces the text by the next of some, each time it is opened, and notes what it has seen. */
  const editorOf = async (texts: readonly string[], first = '') => {
    for (const [i, text] of texts.entries()) await writeFile(join(folder, `text-${i}`), text);
    await session.run('rm -f seen-*');
    return shellEditor(
      'next',
      `cd "${folder}"; n=$(ls seen-* 2>/dev/null | wc -l); cp "$1" seen-$n; [ $n = 0 ] && { ${first || ':'}; }
       cat text-$n > "$1"`,
    );
  };
  const seen = (number: number) => readFile(join(folder, `seen-${number}`), 'utf8');

  test('opens the editor again, with the reason on top, until it is valid', async () => {
    const book = await add();
    const editor = await editorOf(['{"titel":"A"}', '// mine\n{"title":7}', '// mine\n{"title":"A"}']);
    const { code, stderr } = await edit(book, editor);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(await seen(1), '// nothing was saved: a book has no field "titel"\n{"titel":"A"}');
    assert.equal(await seen(2), '// nothing was saved: title is not a string\n{"title":7}');
    assert.equal((await stored(book)).title, 'A');
    await noDraft();
  });

  test('after a change by others, what was changed here is saved, and theirs stays', async () => {
    const book = await add();
    const mine = { ...fieldsOf(book), title: 'Mine' };
    const theirs = `"${process.execPath}" "${program}" update ${book.id} -a Theirs > /dev/null`;
    const texts = [mine, { ...mine, title: 'Mine!' }].map((each) => JSON.stringify(each));
    const { code, stderr } = await edit(book, await editorOf(texts, theirs));
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(await seen(1), new RegExp(`^// book ${book.id} was changed meanwhile; it is now\n`));
    assert.deepEqual(await stored(book), { ...book, title: 'Mine!', author: 'Theirs' });
  });

  test('that was kept can be submitted, without an editor', async () => {
    const book = await add();
    const outcome = await edit(book, await typing('{"title":"A","year":"x"}'));
    const [command = '', path = ''] = /shelflist edit \d+ --draft ([^\s`]+)/.exec(outcome.stderr) ?? [];
    assert.equal((await session.run(command, { env })).code, 1);
    await writeFile(path, '// a reason\n{"title":"A","author":"Jane Austen","year":1816}');
    const { code, stdout, stderr } = await session.run(`${command} --json`, { env });
    assert.equal(stderr, 'changed title from "Emma" to "A", year from 1815 to 1816\n');
    assert.deepEqual(JSON.parse(stdout), [{ ...book, title: 'A', year: 1816 }]);
    assert.equal(code, 0);
    await session.run('rm -r drafts/*');
  });

  test('a draft that does not exist is an error', async () => {
    const book = await add();
    const { code, stderr } = await session.run(`shelflist edit ${book.id} --draft none.json`, { env });
    assert.deepEqual([code, stderr], [1, 'shelflist: cannot read none.json (ENOENT)\n']);
  });
});

describe('a stub service', () => {
  const book = { id: 1, ...exampleBook };
  const envelope = (status: number, message: string, data: unknown) =>
    JSON.stringify({ status, message, data });
  const start = async (context: Parameters<typeof startStranger>[0], headers: Record<string, string>) => {
    const tags: unknown[] = [];
    const server = await startStranger(context, (request, response) => {
      tags.push(request.headers['if-match']);
      if (request.method === 'GET') response.writeHead(200, headers).end(envelope(200, 'x', book));
      else response.writeHead(412).end(envelope(412, 'Precondition failed', null));
    });
    const extra = {
      EDITOR: await typing('{"title":"Mine"}'),
      SHELFLIST_TOKEN: 'x',
      SHELFLIST_URL: server.url,
    };
    const outcome = await session.run('shelflist edit 1', { env: { ...env, ...extra } });
    return { outcome, tags, requests: server.requests };
  };

  test('receives If-Match in the request that writes', async (context) => {
    const { outcome, tags, requests } = await start(context, { ETag: '"abc"' });
    assert.deepEqual(requests, ['GET /book/1 x', 'PUT /book/1 x', 'GET /book/1 x']);
    assert.deepEqual(tags, [undefined, '"abc"', undefined]);
    assert.match(
      outcome.stderr,
      /^shelflist: book 1 was changed meanwhile; it is now \{"id":1,.*; nothing was saved/,
    );
    assert.equal(outcome.code, 1);
    assert.equal(await keptDraft(outcome), '{"title":"Mine"}');
  });

  test('without tags exits with 5 before the editor opens', async (context) => {
    const { outcome, requests } = await start(context, {});
    assert.deepEqual(requests, ['GET /book/1 x']);
    assert.match(outcome.stderr, /does not contain the tag of the book\n$/);
    assert.equal(outcome.code, 5);
    await noDraft();
  });
});

describe('the editor', () => {
  test('that saved and then fails: nothing is sent, and the draft is kept', async () => {
    const book = await add();
    const editor = await shellEditor('failing', `echo '{"title":"A"}' > "$1"; exit 3`);
    const outcome = await edit(book, editor);
    const { code, stdout, stderr } = outcome;
    assert.ok(
      stderr.startsWith(`shelflist: the editor (${editor}) exited with an error; nothing was saved. Your`),
      stderr,
    );
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.deepEqual(await stored(book), book);
    assert.equal(await keptDraft(outcome), '{"title":"A"}\n');
  });

  test('that is killed or missing exits with 1, and leaves no draft', async () => {
    const book = await add();
    for (const editor of [await shellEditor('killed', 'kill -9 $$'), 'no-such-editor']) {
      const { code, stderr } = await edit(book, editor);
      assert.match(stderr, /shelflist: the editor \(.+\) exited with an error; nothing was saved\n$/);
      assert.equal(code, 1);
      await noDraft();
    }
  });

  test('that deletes the draft exits with 1', async () => {
    const book = await add();
    const { code, stdout } = await edit(book, await shellEditor('remover', 'rm "$1"'));
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    await noDraft();
  });

  test('may replace the draft with a new file', async () => {
    const book = await add();
    const editor = await shellEditor('mover', `echo '{"title":"Moved"}' > "$1.new" && mv "$1.new" "$1"`);
    assert.equal((await edit(book, editor)).code, 0);
    assert.equal((await stored(book)).title, 'Moved');
    await noDraft();
  });

  test('may have arguments, and quotes', async () => {
    const book = await add();
    const inside = join(folder, 'a place');
    await mkdir(inside);
    await script('a place/ed itor', '#!/bin/bash\necho "$# $1 $2"\n');
    const { stderr } = await edit(book, `"${inside}/ed itor" --wait 'a b'`);
    assert.equal(stderr, '3 --wait a b\nnothing was changed\n');
  });

  test('in VISUAL takes precedence over EDITOR; empty counts as unset', async () => {
    const book = await add();
    const [one, two] = [await shellEditor('one', 'echo one'), await shellEditor('two', 'echo two')];
    const said = async (VISUAL: string, EDITOR: string) =>
      (await session.run(`shelflist edit ${book.id}`, { env: { ...env, VISUAL, EDITOR } })).stderr;
    assert.equal(await said(one, two), 'one\nnothing was changed\n');
    assert.equal(await said('', two), 'two\nnothing was changed\n');
  });

  test('is required without a terminal: exit status 2', async () => {
    const book = await add();
    const outcome = await session.run(`shelflist edit ${book.id}`, { env });
    assert.deepEqual(outcome, {
      code: 2,
      stdout: '',
      stderr:
        'shelflist: cannot open an editor: standard input is not a terminal; set EDITOR, or use `shelflist update`\n',
    });
    await noDraft();
  });

  test('prints to standard error: standard output is the result', async () => {
    const book = await add();
    const editor = await shellEditor('talker', `echo drawn; echo '{"title":"A"}' > "$1"`);
    const { code, stdout, stderr } = await edit(book, editor, '--json');
    assert.equal(stderr, 'drawn\n');
    assert.deepEqual(JSON.parse(stdout), [{ ...book, title: 'A' }]);
    assert.equal(code, 0);
  });

  test('reads the terminal, and handles Ctrl-C itself', { skip: noTerminal }, async () => {
    const book = await add();
    // No trap of bash: one that is set off between the prompt and the read of the answer is run after the answer.
    const editor = `"${process.execPath}" "${join(folder, 'asker.mjs')}"`;
    await writeFile(
      join(folder, 'asker.mjs'),
      `import { writeFileSync } from 'node:fs';
       process.on('SIGINT', () => {
         writeFileSync(process.argv[2], '{"title":"after Ctrl-C"}');
         process.exit();
       });
       process.stdin.resume();
       console.log('Ready?');`,
    );
    const { code, screen } = await terminal(
      `shelflist edit ${book.id} --json`,
      { cwd: folder, env: { ...env, EDITOR: editor, SHELFLIST_URL: service.url } },
      [['Ready?', '\x03']],
    );
    assert.match(screen, /"title":"after Ctrl-C"/);
    assert.equal(code, 0);
    assert.equal((await stored(book)).title, 'after Ctrl-C');
  });
});

describe('an invalid command line, and a missing book', () => {
  const table: [commandLine: string, code: number, stderr: RegExp][] = [
    ['shelflist edit', 2, /^shelflist: missing argument <id>; /],
    ['shelflist edit x', 2, /^shelflist: invalid <id> 'x': /],
    ['shelflist edit 1 9999', 3, /^shelflist: book 9999 not found; nothing was changed\n$/],
    ['shelflist edit 9999', 3, /^shelflist: book 9999 not found\n$/],
    ['shelflist edit 1 -u nobody', 4, /^shelflist: not logged in to /],
  ];
  for (const [commandLine, code, stderr] of table) {
    test(`${titleOf(commandLine)}: ${code}`, async () => {
      const outcome = await session.run(commandLine, { env: { ...env, EDITOR: 'false' } });
      assert.match(outcome.stderr, stderr);
      assert.equal(outcome.stdout, '');
      assert.equal(outcome.code, code);
      await noDraft();
    });
  }
});
