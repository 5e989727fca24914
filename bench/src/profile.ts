import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatProfile, type CpuProfile } from './profile-table.ts';
import { ours } from './targets.ts';
import { measureLoad, prepare, type HttpWorkload } from './workloads/http.ts';
import type { Setting } from './workloads/workload.ts';

/** Profiles shelflist under load; returns where its time went, as Markdown. */
export async function profile(setting: Setting, workload: HttpWorkload): Promise<string> {
  const { stage, store } = setting;
  const folder = join(stage.folder, `profile-${workload.name}-${store}`);
  await mkdir(folder);
  await measureLoad(setting, ours, workload, {
    ...(await prepare(stage, store, ours, workload)),
    nodeArguments: ['--cpu-prof', '--cpu-prof-dir', folder],
  });
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error('there is no profile');
  const { title } = workload;
  return `### ${title} (${store})\n\n${formatProfile(JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile, setting.seconds)}`;
}
