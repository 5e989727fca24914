import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongod, type TestMongod } from '../../test/support/mongod.ts';
import type { Answer } from './answer.ts';
import type { Book } from './peers/books/books.ts';
import type { Settings } from './peers/support/settings.ts';
import { seed } from './seed.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { ours, type Store, type Target } from './targets.ts';

/** The built program of this checkout. */
export const program = join(import.meta.dirname, '../../dist/bin/shelflist.js');

const credentials = {
  secret: 'a secret of the benchmark, which has more than 32 bytes',
  username: 'librarian',
  password: 'correct horse battery staple',
};

export interface StartOptions {
  /** Begin with no books. */
  readonly isEmpty?: boolean;
  readonly workers?: number;
  /** What the ceiling answers, by method. */
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly nodeArguments?: readonly string[];
  /** A folder or a database that is there already, instead of one with the stage's books. */
  readonly database?: string;
}

/** The data, and the servers that are started on it. */
export class Stage {
  readonly folder: string;
  readonly books: readonly Book[];
  #mongod: TestMongod | undefined;
  #started = 0;
  readonly #seeds = new Map<string, Promise<string>>();

  private constructor(folder: string, books: readonly Book[]) {
    this.folder = folder;
    this.books = books;
  }

  static async open(books: readonly Book[]): Promise<Stage> {
    const stage = new Stage(await mkdtemp(join(tmpdir(), 'shelflist-bench-')), books);
    await writeFile(join(stage.folder, 'books.json'), JSON.stringify(books));
    await writeFile(join(stage.folder, 'none.json'), '[]');
    return stage;
  }

  async close(): Promise<void> {
    await this.#mongod?.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** The address of a database of this name on the MongoDB server, which is started when it is first needed. */
  async mongoAddress(name: string): Promise<string> {
    if (this.#mongod === undefined) {
      const mongod = await startMongod();
      if ('skip' in mongod) throw new Error(mongod.skip);
      this.#mongod = mongod;
    }
    const url = new URL(this.#mongod.url);
    url.pathname = name;
    return url.href;
  }

  async start(target: Target, store: Store, options: StartOptions = {}): Promise<ServerProcess> {
    const name = `run-${++this.#started}`;
    const cwd = join(this.folder, name);
    await mkdir(cwd);
    const server = await (target === ours
      ? this.#startOurs(cwd, store, options)
      : this.#startPeer(cwd, target, store, options));
    return {
      ...server,
      stop: async () => {
        await server.stop();
        await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  }

  async #startOurs(cwd: string, store: Store, options: StartOptions): Promise<ServerProcess> {
    const { isEmpty = false, workers = 1, nodeArguments = [] } = options;
    const database = options.database ?? (await this.#ourDatabase(cwd, store, isEmpty));
    return startServer([...nodeArguments, program, 'serve', '--port', '0', '--json'], {
      cwd,
      env: {
        SECRET_TOKEN: credentials.secret,
        AUTH_USERNAME: credentials.username,
        AUTH_PASSWORD: credentials.password,
        DATABASE_URL: database,
        WORKERS: String(workers),
        BULK_LIMIT_BYTES: String(64 * 1024 * 1024),
      },
    });
  }

  async #ourDatabase(cwd: string, store: Store, isEmpty: boolean): Promise<string> {
    if (store === 'mongodb')
      return isEmpty ? this.mongoAddress(`empty-${this.#started}`) : this.seeded(store, this.books);
    const folder = join(cwd, 'data');
    if (!isEmpty) {
      const seeded = await this.seeded(store, this.books);
      await cp(seeded.slice('file:'.length), folder, { recursive: true });
    }
    return `file:${folder}`;
  }

  /** A database of ours with these books for one use, made when it is first needed, through the service itself. */
  async seeded(store: Store, books: readonly Book[], use = 'read'): Promise<string> {
    const name = `seed-${store}-${books.length}-${use}`;
    let database = this.#seeds.get(name);
    if (database === undefined) {
      database = (async () => {
        const url = store === 'mongodb' ? await this.mongoAddress(name) : `file:${join(this.folder, name)}`;
        const server = await this.start(ours, store, { database: url });
        try {
          await seed(server, await this.logIn(ours, server.url), books);
        } finally {
          await server.stop();
        }
        return url;
      })();
      this.#seeds.set(name, database);
    }
    return database;
  }

  async #startPeer(cwd: string, target: Target, store: Store, options: StartOptions): Promise<ServerProcess> {
    const answers = join(cwd, 'answers.json');
    await writeFile(answers, JSON.stringify(options.answers ?? {}));
    const kept = target.stores[store];
    const settings: Settings = {
      ...credentials,
      store: kept === undefined || kept === 'none' ? 'lmdb' : kept,
      database: store === 'mongodb' ? await this.mongoAddress('peers') : cwd,
      books: join(this.folder, options.isEmpty === true ? 'none.json' : 'books.json'),
      answers,
    };
    const script = join(import.meta.dirname, `peers/${target.peer}.js`);
    return startServer([...(options.nodeArguments ?? []), script], {
      cwd,
      env: { PEER_SETTINGS: JSON.stringify(settings) },
    });
  }

  /** The headers of a request that is logged in. */
  async logIn(target: Target, url: string): Promise<Record<string, string>> {
    // As long as a token of ours, so that the ceiling parses as many bytes.
    if (target.token === 'none') return { Authorization: 'x'.repeat(144) };
    const { username, password } = credentials;
    const response = await fetch(`${url}/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { data } = (await response.json()) as { data: { token: string } };
    return { Authorization: target.token === 'bearer' ? `Bearer ${data.token}` : data.token };
  }
}

export const loginBody = JSON.stringify({
  username: credentials.username,
  password: credentials.password,
});
