/** Fastify with @fastify/jwt, as their guides have it: the token is verified in a hook. */
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
