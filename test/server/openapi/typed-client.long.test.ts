import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { storedBook } from '../../support/books.ts';
import { documentText } from '../../support/document.ts';
import { credentials, startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temp.ts';

/** The code of a user of openapi-typescript and openapi-fetch. */
const client = `
  import createClient from 'openapi-fetch';
  import type { components, paths } from './api.d.ts';

  export async function use(baseUrl: string, username: string, password: string) {
    const client = createClient<paths, 'application/json'>({ baseUrl });
    const login = await client.POST('/token', { body: { username, password } });
    if (login.error) throw new Error(login.error.message);
    const headers = { Authorization: login.data.data.token };
    const created = await client.POST('/book', { headers, body: { title: 'Emma' } });
    if (created.error) throw new Error(created.error.message);
    const book: components['schemas']['Book'] = created.data.data;
    const params = { path: { id: book.id } };
    const updated = await client.PUT('/book/{id}', { headers, params, body: { year: 1815 } });
    const listed = await client.GET('/books', { headers });
    await client.DELETE('/book/{id}', { headers, params });
    const gone = await client.GET('/book/{id}', { headers, params });
    const message: 'Book retrieved successfully' | undefined = gone.data?.message;
    return [updated.data?.data, listed.data?.data, message, gone.error?.status];
  }
`;

const mistakes: [what: string, right: string, wrong: string][] = [
  ['a path', "'/books'", "'/novels'"],
  ['a type of a field', 'year: 1815', "year: '1815'"],
  ['a login without a password', 'body: { username, password }', 'body: { username }'],
  ['an id that is missing', '{ headers, params, body', '{ headers, body'],
  ['a message', "'Book retrieved successfully'", "'Hello'"],
  ['data of an error', 'gone.error?.status', 'gone.error?.data.title'],
];

const folder = await temporaryFolder({ after });
await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTypes(await documentText())));
await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'), 'junction');
const right = join(folder, 'client.ts');
await writeFile(right, client);
const wrongs = mistakes.map((_, i) => join(folder, `mistake-${i}.ts`));
for (const [i, [, is, would]] of mistakes.entries())
  await writeFile(wrongs[i] ?? '', client.replace(is, would));

const program = ts.createProgram([right, ...wrongs], {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  types: [],
});

/** The errors of the compiler in a file. */
const complaints = (file: string) =>
  ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));

describe('a client with types generated from the OpenAPI document', () => {
  test('compiles and works', async (t) => {
    assert.deepEqual(complaints(right), []);
    const { url } = await startService(t);
    const compiled = join(folder, 'client.mjs');
    await writeFile(
      compiled,
      ts.transpile(client, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }),
    );
    const { use } = (await import(pathToFileURL(compiled).href)) as {
      use: (...args: string[]) => Promise<unknown[]>;
    };
    const emma = storedBook(1, { title: 'Emma', year: 1815 });
    const done = await use(url, credentials.username, credentials.password);
    assert.deepEqual(done, [emma, [emma], undefined, 404]);
  });

  for (const [i, [what]] of mistakes.entries()) {
    test(`does not compile with a mistake: ${what}`, () => {
      assert.notDeepEqual(complaints(wrongs[i] ?? ''), []);
    });
  }
});
