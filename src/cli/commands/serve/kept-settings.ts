import { isDeepStrictEqual } from 'node:util';
import {
  changeableSettings,
  liveSettings,
  type ChangeableSetting,
  type LiveSettings,
  type SettingsPatch,
  type SettingsReport,
} from '../../../catalogue/changeable-settings.ts';
import { hasCode, ShelflistError } from '../../../catalogue/errors.ts';
import type { ServiceSettings, SettingSources } from '../../../config/read-settings.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import type { SettingsKeeper } from '../../../server/routes/settings.ts';

type Apply = () => Promise<void> | void;

/** The part of some settings that takes effect at once. */
export function liveOf(settings: Pick<ServiceSettings, keyof LiveSettings>): LiveSettings {
  return Object.fromEntries(
    liveSettings.map((name) => [name, settings[name].value]),
  ) as unknown as LiveSettings;
}

/** Calls all that a change of settings concerns. */
export class Changes {
  readonly #all = new Set<Apply>();

  add(apply: Apply): () => void {
    this.#all.add(apply);
    return () => {
      this.#all.delete(apply);
    };
  }

  async run(): Promise<void> {
    await Promise.all([...this.#all].map(async (apply) => apply()));
  }
}

/** The settings of a service that requests may change, kept in the `.env` that it has started with. */
export class KeptSettings implements SettingsKeeper {
  /** The address of the service, once it listens. */
  url: string | undefined;
  readonly #sources: SettingSources;
  readonly #started: ServiceSettings;
  readonly #changes = new Changes();
  readonly #turns = new Semaphore(1);
  #live: LiveSettings;

  /** @param started What the service has started with. */
  constructor(sources: SettingSources, started: ServiceSettings) {
    this.#sources = sources;
    this.#started = started;
    this.#live = liveOf(started);
  }

  get live(): LiveSettings {
    return this.#live;
  }

  onChange(apply: Apply): () => void {
    return this.#changes.add(apply);
  }

  async read(): Promise<SettingsReport> {
    const { readStoredSettings } = await import('../../../config/stored-settings.ts'); // Rarely needed: a start is faster without.
    const { addressesForOthers } = await import('../../../lib/addresses.ts');
    const { settings, fixed } = await asUnavailable(readStoredSettings(this.#sources));
    const inUse = (name: ChangeableSetting): unknown =>
      name in this.#live ? this.#live[name as keyof LiveSettings] : this.#started[name].value;
    return {
      settings,
      fixed,
      restart: changeableSettings.filter((name) => !isDeepStrictEqual(settings[name], inUse(name))),
      addresses: this.url === undefined ? [] : addressesForOthers(this.url),
    };
  }

  change(patch: SettingsPatch): Promise<SettingsReport> {
    return this.#turns.run(async () => {
      const { storeSettings } = await import('../../../config/stored-settings.ts');
      await asUnavailable(storeSettings(this.#sources, patch));
      const changed = liveSettings.filter((name) => name in patch).map((name) => [name, patch[name]]);
      this.#live = { ...this.#live, ...(Object.fromEntries(changed) as SettingsPatch) };
      if (changed.length > 0) await this.#changes.run();
      return this.read();
    });
  }
}

/** @throws {ShelflistError} `unavailable`: the `.env` cannot be read or written; or `invalid_input`. */
async function asUnavailable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'invalid_input')) throw error;
    throw new ShelflistError('unavailable', { message: (error as Error).message, cause: error });
  }
}
