import { isDeepStrictEqual } from 'node:util';
import {
  changeableSettings,
  liveSettings,
  type ChangeableSetting,
  type ChangeableSettings,
  type LiveSettings,
  type SettingsPatch,
  type SettingsReport,
} from '../../../catalogue/changeable-settings.ts';
import { hasCode, ShelflistError } from '../../../catalogue/errors.ts';
import type { ServiceSettings, SettingSources } from '../../../config/read-settings.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import { createLogger } from '../../../server/observability/log.ts';
import type { SettingsKeeper } from '../../../server/routes/settings.ts';
import type { OpenedStore } from '../../../store/contract/store.ts';

type Apply = () => Promise<void> | void;

/** The part of some settings that takes effect at once. */
export function liveOf(settings: Pick<ServiceSettings, keyof LiveSettings>): LiveSettings {
  return Object.fromEntries(
    liveSettings.map((name) => [name, settings[name].value]),
  ) as unknown as LiveSettings;
}

/** The functions to call after a change of settings. */
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

/** The settings that a store keeps with its books. */
const sortSettings = ['sortArticles', 'sortNames'] as const satisfies readonly ChangeableSetting[];

/** The settings of a service that requests can change, kept in the `.env` that it started with. */
export class KeptSettings implements SettingsKeeper {
  /** The address of the service, once it listens. */
  url: string | undefined;
  readonly #sources: SettingSources;
  readonly #started: ServiceSettings;
  readonly #changes = new Changes();
  readonly #turns = new Semaphore(1);
  /** What the running service uses. */
  #used: ChangeableSettings;
  /** Sorts the books anew, for as long as that takes. */
  #sorting: OpenedStore | undefined;

  /** @param started The settings that the service started with. */
  constructor(sources: SettingSources, started: ServiceSettings) {
    this.#sources = sources;
    this.#started = started;
    this.#used = Object.fromEntries(
      changeableSettings.map((name) => [name, started[name].value]),
    ) as unknown as ChangeableSettings;
  }

  get live(): LiveSettings {
    return Object.fromEntries(
      liveSettings.map((name) => [name, this.#used[name]]),
    ) as unknown as LiveSettings;
  }

  /** What the running service uses: its next processes start with it. */
  get used(): ChangeableSettings {
    return this.#used;
  }

  onChange(apply: Apply): () => void {
    return this.#changes.add(apply);
  }

  async read(): Promise<SettingsReport> {
    const { readStoredSettings } = await import('../../../config/stored-settings.ts'); // Loaded late for a faster start.
    const { addressesForOthers } = await import('../../../lib/addresses.ts');
    const { settings, fixed } = await asUnavailable(readStoredSettings(this.#sources));
    return {
      settings,
      fixed,
      restart: changeableSettings.filter((name) => !isDeepStrictEqual(settings[name], this.#used[name])),
      addresses: this.url === undefined ? [] : addressesForOthers(this.url),
    };
  }

  change(patch: SettingsPatch): Promise<SettingsReport> {
    return this.#turns.run(async () => {
      const { storeSettings } = await import('../../../config/stored-settings.ts');
      await asUnavailable(storeSettings(this.#sources, patch));
      const before = this.#used;
      if (this.#canSort) {
        // First: otherwise a worker that starts now would sort the books by the former rules.
        await this.#use(patch, changeableSettings);
        // If the store cannot be reached, the answer says that the next start sorts the books.
        await this.#sort(before).catch(() => this.#use(before, sortSettings));
      } else await this.#use(patch, liveSettings);
      return this.read();
    });
  }

  /** Ends the sorting of books: the next start continues it. */
  async close(): Promise<void> {
    await this.#turns.run(async () => this.#sorting?.close());
  }

  async #use(patch: SettingsPatch, names: readonly ChangeableSetting[]): Promise<void> {
    const changed = names.filter((name) => name in patch).map((name) => [name, patch[name]]);
    if (changed.length === 0) return;
    this.#used = { ...this.#used, ...(Object.fromEntries(changed) as SettingsPatch) };
    await this.#changes.run();
  }

  /** Whether another store on the same books can sort them: not those in the memory of this one. */
  get #canSort(): boolean {
    return !this.#started.databaseUrl.value.startsWith('memory:');
  }

  /**
   * Sorts the books by the rules in use, if they have changed. A store keeps its rules with its books, so another store on the same
   * books changes them for all processes of the service.
   *
   * @throws {ShelflistError} `store_unusable`
   */
  async #sort(before: ChangeableSettings): Promise<void> {
    const { sortArticles, sortNames } = this.#used;
    if (sortSettings.every((name) => isDeepStrictEqual(this.#used[name], before[name]))) return;
    const { databaseUrl, historyDays, historyMaxBytes, logLevel, logFormat } = this.#started;
    const { openStore } = await import('../../../store/drivers.ts');
    const store = await openStore(databaseUrl.value, {
      historyDays: historyDays.value,
      historyMaxBytes: historyMaxBytes.value,
      logger: createLogger(logLevel.value, logFormat.value),
      sortArticles,
      sortNames,
    });
    await this.#sorting?.close();
    this.#sorting = store;
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
