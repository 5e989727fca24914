/** Fastify; jose verifies the token in a hook. */
import { fastify } from 'fastify';
import { serveBooks } from './support/fastify.ts';
import { answerLogin, isAllowed, refusal } from './support/tokens.ts';

await serveBooks(
  fastify(),
  (login) => answerLogin(login),
  async (request, reply) => {
    if (!(await isAllowed(request.headers.authorization))) await reply.code(401).send(refusal);
  },
);
