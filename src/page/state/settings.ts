import { changeSettings as change, getSettings as read } from '../../api/settings.ts';
import type { RawResponse } from '../../api/envelope.ts';
import type { ServiceSettings, SettingsPatch } from '../../catalogue/changeable-settings.ts';
import { dataOf, unexpected } from '../../client/answers.ts';
import { send } from './service.ts';

/** Reads the settings of the service. @throws {ShelflistError} */
export async function readSettings(signal?: AbortSignal): Promise<ServiceSettings> {
  return settingsOf(await send({ path: read.path, signal }));
}

/** Changes settings of the service, all or none. @throws {ShelflistError} `invalid_input`, `unavailable` or another. */
export async function changeSettings(body: SettingsPatch): Promise<ServiceSettings> {
  const { method, path } = change;
  return settingsOf(await send({ method, path, body }));
}

function settingsOf(response: RawResponse): ServiceSettings {
  const settings = read.data.parse(dataOf(response));
  if (settings !== undefined) return settings;
  throw unexpected('the settings');
}
