// Tests of an app with supertest: a service in memory, without a port of its own. `node --test supertest.test.js`
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createHandler } from 'shelflist';
import request from 'supertest';

const credentials = { username: 'librarian', password: 'the-password-of-this-test' };
const books = await createHandler({
  secretToken: 'the-secret-of-this-test-with-38-bytes!',
  authUsername: credentials.username,
  authPassword: credentials.password,
  databaseUrl: 'memory:',
});
after(() => books.close());

test('a book is stored, and found', async () => {
  const login = await request(books).post('/token').send(credentials).expect(200);
  const { token } = login.body.data;

  const created = await request(books)
    .post('/book')
    .set('Authorization', token)
    .send({ title: 'Emma', author: 'Jane Austen', year: 1815 })
    .expect(201);
  const found = await request(books).get('/books?q=austen').set('Authorization', token).expect(200);

  assert.deepEqual(found.body.data, [created.body.data]);
});

test('nothing is shown without a token', async () => {
  const { body } = await request(books).get('/books').expect(401);
  assert.equal(body.status, 401);
});
