import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { keysOf, openDriver } from '../support/mongo-driver.ts';
import { startService } from '../support/service.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

describe(
  'MongoDB operators sent by a client never reach the database',
  { skip: 'skip' in mongod ? mongod.skip : false },
  () => {
    // None that the service itself asks with.
    const operator = '{"$where":"sleep(9000)","$function":"x","$regex":"."}';
    const encoded = encodeURIComponent(operator);
    type Row = [method: string, path: string, body: string | undefined, status: number, message: string];
    const table: Row[] = [
    ['POST', '/token', `{"username":${operator},"password":${operator}}`, 400, 'Invalid request payload'],
    ['POST', '/token', '{"username":{"$gt":""},"password":{"$gt":""}}', 400, 'Invalid request payload'],
    ['POST', '/token', '{"username[$gt]":"","password[$gt]":""}', 400, 'Invalid request payload'],
    ['POST', '/book', `{"title":${operator}}`, 400, 'Invalid input'],
    ['POST', '/book', `{"year":${operator}}`, 400, 'Invalid input'],
    ['POST', '/book', operator, 201, 'Book created successfully'],
    ['POST', '/book', `{"title":${JSON.stringify(operator)}}`, 201, 'Book created successfully'],
    ['POST', '/books', `[${operator}]`, 200, 'Books imported'],
    ['PUT', '/book/1', `{"author":${operator}}`, 400, 'Invalid input'],
    ['PUT', '/book/1', `{"$where":${operator},"title.x":${operator}}`, 200, 'Book updated successfully'],
    ...['GET', 'PUT', 'DELETE'].flatMap((method): Row[] =>
      [encoded, '%7B%22$gt%22:0%7D', '[$gt]=0', '$where', '1%00', '1;1'].map((id) => [
        method, `/book/${id}`, method === 'PUT' ? '{}' : undefined, 404, 'Book not found',
      ]),
    ),
    ...['q[$gt]=', 'author[$ne]=x', 'title[$regex]=.', '$where=1', 'year[$gt]=0', '__proto__[x]=1', 'constructor=1',
      `year=${encoded}`, `limit=${encoded}`, `after=${encoded}`, `sort=${encoded}`, 'q=a&q=b', `count=${encoded}`,
    ].map((query): Row => ['GET', `/books?${query}`, undefined, 400, 'Invalid query']),
    ...['q', 'title', 'author'].map((name): Row => [
      'GET', `/books?${name}=${encoded}`, undefined, 200, 'Books retrieved successfully',
    ]),
  ]; // prettier-ignore

    test('in a path, a query or a body', async (context) => {
      const databaseUrl = newDatabaseUrl(mongod);
      const db = await openDriver(context, databaseUrl);
      const service = await startService(context, { databaseUrl });
      await service.request('POST', '/book', { token: service.token, body: { title: 'Emma' } });
      await db.command({ profile: 2 });
      for (const [method, path, body, status, message] of table) {
        const { envelope } = await service.request(method, path, { token: service.token, body });
        assert.deepEqual(
          [envelope?.status, envelope?.message],
          [status, message],
          `${method} ${path} ${body}`,
        );
      }
      const commands = await db.collection('system.profile').find().toArray();
      await db.command({ profile: 0 });
      assert.ok(commands.length > 10, 'MongoDB has written nothing down');
      for (const name of commands.flatMap(({ command }) => keysOf(command)))
        assert.doesNotMatch(name, /^\$(where|function|regex|ne)$|\.x$|\[/);
      assert.deepEqual(service.log, []);
    });
  },
);
