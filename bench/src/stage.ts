import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongod, type TestMongod } from '../../test/support/mongod.ts';
import type { Answer } from './answer.ts';
import { ask } from './ask.ts';
import { clientLogin, credentials, launchOurs, launchPeer, loginBody } from './launch.ts';
import type { Book } from './peers/books/books.ts';
import { logInToPocketBase } from './pocketbase.ts';
import { seed } from './seed.ts';
import type { ServerProcess } from './server-process.ts';
import { ours, pocketBase, type Store, type Target } from './targets.ts';

export interface StartOptions {
  /** Start without books. */
  readonly isEmpty?: boolean;
  readonly workers?: number;
  /** The responses of the `node:http` server, by method. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** Arguments of Node, for shelflist only. */
  readonly nodeArguments?: readonly string[];
  /** An existing database, for shelflist only, instead of one with the books of the stage. */
  readonly database?: string;
}

/** The data, and the servers that use it. */
export class Stage {
  readonly folder: string;
  readonly books: readonly Book[];
  /** The program of shelflist: of this checkout, or of another one. */
  readonly program: string;
  readonly clientLogin = clientLogin;
  #mongod: TestMongod | undefined;
  #started = 0;
  readonly #seeds = new Map<string, Promise<string>>();

  private constructor(folder: string, books: readonly Book[], program: string) {
    this.program = program;
    this.folder = folder;
    this.books = books;
  }

  static async open(books: readonly Book[], program: string): Promise<Stage> {
    const stage = new Stage(await mkdtemp(join(tmpdir(), 'shelflist-bench-')), books, program);
    process.once('exit', () => {
      rmSync(stage.folder, { recursive: true, force: true, maxRetries: 3 });
    });
    await writeFile(join(stage.folder, 'books.json'), JSON.stringify(books));
    await writeFile(join(stage.folder, 'none.json'), '[]');
    return stage;
  }

  /** Opens a stage. Its folder is removed when the process ends for any reason. */
  async close(): Promise<void> {
    await this.#mongod?.stop();
  }

  /** Returns the address of a database on the MongoDB server, which starts on first use. */
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

  /** Starts a server in a new folder, which is removed when the server stops. */
  async start(target: Target, store: Store, options: StartOptions = {}): Promise<ServerProcess> {
    const cwd = join(this.folder, `run-${++this.#started}`);
    await mkdir(cwd);
    const { isEmpty = false, workers = 1, nodeArguments = [], answers = {} } = options;
    const server = await (target === ours
      ? launchOurs({
          program: this.program,
          cwd,
          database: options.database ?? (await this.#ourDatabase(cwd, store, isEmpty)),
          workers,
          nodeArguments,
        })
      : launchPeer(target, store, {
          cwd,
          database: store === 'mongodb' ? await this.mongoAddress('peers') : cwd,
          books: join(this.folder, isEmpty ? 'none.json' : 'books.json'),
          answers,
        }));
    return {
      ...server,
      stop: async () => {
        await server.stop();
        await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  }

  /** A folder is copied for each start; a MongoDB database is reused. */
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

  /** Returns a database with these books for one use. The service itself creates it on first use. */
  seeded(store: Store, books: readonly Book[], use = 'read'): Promise<string> {
    const name = `seed-${store}-${books.length}-${use}`;
    const database = this.#seeds.get(name) ?? this.#seed(name, store, books);
    this.#seeds.set(name, database);
    return database;
  }

  async #seed(name: string, store: Store, books: readonly Book[]): Promise<string> {
    const database = store === 'mongodb' ? await this.mongoAddress(name) : `file:${join(this.folder, name)}`;
    const server = await this.start(ours, store, { database });
    try {
      await seed(server, await this.logIn(ours, server.url), books);
    } finally {
      await server.stop();
    }
    return database;
  }

  /** Returns the headers of an authenticated request. */
  async logIn(target: Target, url: string): Promise<Record<string, string>> {
    // As long as a token of shelflist, so equally many bytes are parsed.
    if (target.token === 'none') return { Authorization: 'x'.repeat(144) };
    if (target === pocketBase) return logInToPocketBase(url, credentials);
    const { body } = await ask(`${url}/token`, { method: 'POST', body: loginBody });
    const { data } = JSON.parse(body) as { data: { token: string } };
    return { Authorization: target.token === 'bearer' ? `Bearer ${data.token}` : data.token };
  }
}
