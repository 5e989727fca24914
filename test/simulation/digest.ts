import process from 'node:process';
import { createJudge } from '../support/answers.ts';
import { documentText, parseDocument } from '../support/document.ts';
import { simulate } from './simulate.ts';

/** A separate process that simulates seeds, and prints the digest of each: `digest.ts SEED…`. */
const judge = createJudge(parseDocument(await documentText()));
for (const seed of process.argv.slice(2).map(Number)) {
  const { digest } = await simulate(seed, { judge });
  process.stdout.write(`${digest}\n`);
}
