// An app with users of its own: their passwords are hashed, their roles say what they may do, and scripts have keys.
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import process from 'node:process';
import { promisify } from 'node:util';
import { createServer } from 'shelflist';
import { catalogue, port } from './settings.js';

const derive = promisify(scrypt);
/** 16 MiB for each login that is checked. */
const cost = { N: 2 ** 14, r: 8, p: 5 };

async function hash(password, salt = randomBytes(16)) {
  const key = await derive(password.normalize(), salt, 32, cost);
  return Buffer.concat([salt, key]);
}

async function isRight(password, stored) {
  return timingSafeEqual(await hash(password, stored.subarray(0, 16)), stored);
}

const digest = (key) => createHash('sha256').update(key).digest('hex');

/** In your app, a table of its database. Nobody knows the password or key of an empty variable. */
const users = new Map([
  ['librarian', { role: 'librarian', password: await hash(catalogue.authPassword) }],
  [
    'reader',
    { role: 'reader', password: await hash(process.env.READER_PASSWORD || randomBytes(16).toString('hex')) },
  ],
  ['nightly', { role: 'reader' }],
]);
/** A key is long and random, so a fast hash is enough. */
const keys = new Map([[digest(process.env.NIGHTLY_KEY || randomBytes(32)), 'nightly']]);
/** An unknown name takes as long as a wrong password. */
const nobody = await hash(randomBytes(16).toString('hex'));

const allowed = {
  librarian: () => true,
  reader: (action) => ['list', 'read', 'follow', 'renew'].includes(action),
};

const { secretToken, databaseUrl, prefix } = catalogue;
const server = await createServer({
  secretToken,
  databaseUrl,
  prefix,
  page: true,
  async authenticate({ username, password }) {
    const user = users.get(username);
    const isUser = await isRight(password, user?.password ?? nobody);
    return isUser ? { name: username } : undefined;
  },
  identify({ headers }) {
    const key = headers['x-api-key'];
    const name = key ? keys.get(digest(key)) : undefined;
    return name && { name };
  },
  authorize({ user, action }) {
    return allowed[users.get(user?.name)?.role]?.(action);
  },
});
server.listen(port, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}${prefix}/`);
});
process.once('SIGTERM', () => server.close());
