// Apps with body parsers of real frameworks in front of the service, all over one store. Prints their ports as JSON.
import { createServer } from 'node:http';
import process from 'node:process';
import express from 'express';
import Fastify from 'fastify';
import Koa from 'koa';
import parseForKoa from 'koa-bodyparser';
import { createHandler } from 'shelflist';

const books = await createHandler({
  secretToken: 's'.repeat(40),
  authUsername: 'librarian',
  authPassword: 'correct horse',
  databaseUrl: 'memory:',
  logger: { info() {}, warn() {}, error() {} },
});

const withExpress = (...parsers) => {
  const app = express();
  for (const parser of parsers) app.use(parser);
  return createServer(app.use(books));
};
const withKoa = (...middleware) => {
  const app = new Koa();
  for (const each of middleware) app.use(each);
  app.use((context) => {
    context.respond = false;
    books(context.req, context.res);
  });
  return createServer(app.callback());
};
const withFastify = async (prepare = () => {}) => {
  const app = Fastify();
  prepare(app);
  app.all('/*', (request, reply) => {
    reply.hijack();
    books(request.raw, reply.raw);
  });
  await app.ready();
  return app.server;
};
const everyType = { type: () => true };

const servers = {
  none: createServer(books),
  'express, no parser': withExpress(),
  'express.json': withExpress(express.json()),
  'express.urlencoded': withExpress(express.urlencoded({ extended: true })),
  'express.json and urlencoded': withExpress(express.json(), express.urlencoded({ extended: false })),
  'express.raw': withExpress(express.raw(everyType)),
  'express.text': withExpress(express.text(everyType)),
  'koa, no parser': withKoa(),
  'koa-bodyparser': withKoa(parseForKoa()),
  'fastify, its parsers': await withFastify(),
  'fastify, no parser': await withFastify((app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  }),
};
const ports = {};
for (const [name, server] of Object.entries(servers)) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports[name] = server.address().port;
}
process.stdout.write(JSON.stringify(ports));
