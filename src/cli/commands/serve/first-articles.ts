import { formatDotenv } from '../../../config/describe-settings.ts';
import { readDotenv } from '../../../config/environment.ts';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import { rowOf } from '../../../config/settings.ts';
import { articlesOfSystem } from '../../../config/system-articles.ts';
import type { Io } from '../../io.ts';
import type { Say } from './messages.ts';

const { variable, parser } = rowOf('sortArticles');

/** The settings of a first start, and how the next start gets the same. */
export interface FirstArticles {
  readonly settings: ServiceSettings;
  /** Writes the articles to the `.env`. A start that fails before it has a store writes nothing. */
  readonly keep: (say: Say) => Promise<void>;
}

/**
 * The settings of the first start on a new store: without articles they get those of the language of the system. `undefined`
 * without a `.env`, or if there are articles or an empty `SORT_ARTICLES`: then nothing changes.
 */
export async function findFirstArticles(
  { env, directory }: Io,
  settings: ServiceSettings,
): Promise<FirstArticles | undefined> {
  const dotenv = await readDotenv(directory);
  const isSet = [variable, `${variable}_FILE`].some((name) => (env[name] ?? dotenv?.[name]) !== undefined);
  if (dotenv === undefined || isSet || settings.sortArticles.value.length > 0) return undefined;
  const articles = articlesOfSystem(env);
  const value = parser.parse(articles) as readonly string[];
  return {
    settings: { ...settings, sortArticles: { value, source: `.env ${variable}` } },
    async keep(say) {
      const { changeDotenv } = await import('../../../config/change-dotenv.ts'); // Loaded only here, for a fast start.
      try {
        const added = formatDotenv({ sortArticles: articles });
        await changeDotenv(directory, variable, (text) => `${text.replace(/\n*$/, '\n\n')}${added}`);
        say(`added ${variable} to .env: the order by title ignores ${articles}`);
      } catch (error) {
        const { message } = error as Error;
        say(`the order by title ignores ${articles} only until the next start: ${message}`, 'warn');
      }
    },
  };
}
