/** Fastify with @fastify/jwt, as in their guides: a hook verifies the token. */
import { fastifyJwt } from '@fastify/jwt';
import { fastify } from 'fastify';
import { serveBooks } from './support/fastify.ts';
import { readSettings } from './support/settings.ts';
import { answerLogin } from './support/tokens.ts';

const app = fastify();
app.register(fastifyJwt, { secret: readSettings().secret, sign: { expiresIn: '15m' } });
await serveBooks(
  app,
  (login) => answerLogin(login, () => app.jwt.sign({})),
  (request) => request.jwtVerify(),
);
