import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { serve, settings } from '../../../support/cli.ts';
import { temporaryFolder } from '../../../support/temp.ts';

for (const workers of ['1', '2']) {
  test(`SIGHUP does not end a service with WORKERS=${workers}, which says how settings are changed`, async (t) => {
    const service = await serve(t, await temporaryFolder(t), { ...settings, WORKERS: workers });
    service.child.kill('SIGHUP');
    await service.said(/SIGHUP is ignored: .+ restart/);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    assert.equal(await service.stop(), 0);
  });
}

describe('systemd is told', { skip: process.platform === 'win32' && 'systemd is not there' }, () => {
  test('when the service is ready and when it stops', async (t) => {
    const cwd = await temporaryFolder(t);
    const calls = join(cwd, 'calls');
    const notifier = join(cwd, 'systemd-notify');
    await writeFile(notifier, `#!/bin/sh\necho "$NOTIFY_SOCKET $@" >> "${calls}"\n`);
    await chmod(notifier, 0o755);
    const PATH = [cwd, process.env.PATH].join(delimiter);
    const service = await serve(t, cwd, { ...settings, NOTIFY_SOCKET: '/run/of-this-test', PATH });
    assert.equal(await service.stop(), 0);
    const pid = `--pid=${service.child.pid}`;
    assert.equal(
      await readFile(calls, 'utf8'),
      `/run/of-this-test READY=1 ${pid}\n/run/of-this-test STOPPING=1 ${pid}\n`,
    );
  });

  test('or the log says why not, and the service runs', async (t) => {
    const cwd = await temporaryFolder(t);
    const service = await serve(t, cwd, { ...settings, NOTIFY_SOCKET: '/run/of-this-test', PATH: cwd });
    await service.said(/cannot notify systemd: .*systemd-notify/);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });
});
