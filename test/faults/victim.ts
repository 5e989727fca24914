import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../src/index.ts';
import type { Lap } from './bystanders.ts';
import { serve, type RunningService } from '../support/cli.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { credentials, secretToken } from '../support/service.ts';
import { temporaryFolder, type Scope } from '../support/temp.ts';

/** A real service to attack, and other clients that use it meanwhile. */
export interface Victim {
  service: RunningService;
  port: number;
  token: string;
  /** Measures a number of requests of the other clients; resolves with the results. */
  lap: (requests: number) => Promise<Lap>;
  /** The memory of the service, in bytes. Linux only, like the next one. */
  memory: () => Promise<number>;
  /** The number of its open descriptors. */
  descriptors: () => Promise<number>;
}

/** Starts a service with a short book and a number of 1 MB books, and eight other clients that read the short one. */
export async function startVictim(scope: Scope, longBooks: number): Promise<Victim> {
  const service = await serve(scope, await temporaryFolder(scope), {
    SECRET_TOKEN: secretToken,
    AUTH_USERNAME: credentials.username,
    AUTH_PASSWORD: credentials.password,
  });
  const client = createClient({ url: service.url });
  const { username, password } = credentials;
  const token = await client.login(username, password);
  await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
  const long = { title: 'x'.repeat(1_000_000), author: '', year: 0 };
  await Promise.all(Array.from({ length: longBooks }, () => client.create(long)));
  client.close();
  const others = fork(compiledPath(join(import.meta.dirname, 'bystanders.ts')), [service.url, token]);
  scope.after(async () => {
    const ended = once(others, 'close');
    others.disconnect();
    await ended;
  });
  const folder = `/proc/${service.child.pid}`;
  return {
    service,
    port: Number(new URL(service.url).port),
    token,
    async lap(requests) {
      const told = once(others, 'message') as Promise<[Lap]>;
      others.send(requests);
      return (await told)[0];
    },
    async memory() {
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`${folder}/status`, 'latin1')) ?? [];
      return Number(kilobytes) * 1024;
    },
    descriptors: async () => (await readdir(`${folder}/fd`)).length,
  };
}

/** Waits up to half a minute until a number is within its limit; returns the last value. */
export async function settles(read: () => Promise<number>, most: number): Promise<number> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await read();
    if (value <= most) return value;
    assert.ok(Date.now() < deadline, `${value} is left, and may be ${most}`);
    await setTimeout(50);
  }
}
