import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { checkBudget } from '../../support/budgets.ts';
import { startService } from '../../support/service.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database } = await useMongod();

test('a request to a service on MongoDB runs few commands', { skip }, async (t) => {
  const { url, db } = await database(t);
  const service = await startService(t, { databaseUrl: url });
  const books = Array.from({ length: 50 }, (_, i) => ({ ...emma, title: `Emma ${i}` }));
  assert.equal((await service.request('POST', '/books', { token: service.token, body: books })).status, 200);
  const requests: [name: string, ask: () => Promise<{ status: number }>, status: number][] = [
    ['GET /book/{id}', () => service.request('GET', '/book/7', { token: service.token }), 200],
    [
      'GET /books?sort=title',
      () => service.request('GET', '/books?sort=title&limit=20', { token: service.token }),
      200,
    ],
    [
      'GET /books?q=',
      () => service.request('GET', '/books?q=emma&sort=id&limit=19', { token: service.token }),
      200,
    ],
    ['a create', () => service.request('POST', '/book', { token: service.token, body: emma }), 201],
    [
      'an update',
      () => service.request('PUT', '/book/7', { token: service.token, body: { ...emma, year: 1816 } }),
      200,
    ],
    ['a delete', () => service.request('DELETE', '/book/7', { token: service.token }), 200],
  ];
  await service.request('GET', '/books?q=emma&sort=id&limit=18', { token: service.token }); // What a service learns from its first search.
  for (const [name, ask, status] of requests) {
    // The profiler of the server counts what reaches it, whichever connection of the driver sends it.
    await db.command({ profile: 2 });
    assert.equal((await ask()).status, status, name);
    await db.command({ profile: 0 });
    const profile = db.collection('system.profile');
    const commands = await profile.countDocuments({
      ns: { $not: /system\.profile$/ },
      'command.profile': { $exists: false },
      'command.comment': { $ne: 'poll' }, // A service looks at its database every 5 s, too.
    });
    await profile.drop();
    checkBudget(`MongoDB commands of ${name}`, commands);
  }
});
