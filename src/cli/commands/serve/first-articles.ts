import { formatDotenv } from '../../../config/describe-settings.ts';
import { readDotenv } from '../../../config/environment.ts';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import { rowOf } from '../../../config/settings.ts';
import { articlesOfSystem } from '../../../config/system-articles.ts';
import type { Io } from '../../io.ts';
import type { Say } from './messages.ts';

const { variable, parser } = rowOf('sortArticles');

/**
 * The settings of the first start on a new store. Without articles they get those of the language of the system, which are
 * written to the `.env`: the next start must have the same. Without a `.env`, or with an empty `SORT_ARTICLES`, nothing changes.
 */
export async function withFirstArticles(
  { env, directory }: Io,
  settings: ServiceSettings,
  say: Say,
): Promise<ServiceSettings> {
  const dotenv = await readDotenv(directory);
  const isSet = [variable, `${variable}_FILE`].some((name) => (env[name] ?? dotenv?.[name]) !== undefined);
  if (dotenv === undefined || isSet || settings.sortArticles.value.length > 0) return settings;
  const articles = articlesOfSystem(env);
  const { changeDotenv } = await import('../../../config/change-dotenv.ts'); // Loaded only here, for a fast start.
  try {
    const added = formatDotenv({ sortArticles: articles });
    await changeDotenv(directory, variable, (text) => `${text.replace(/\n*$/, '\n\n')}${added}`);
  } catch (error) {
    say(`the order by title ignores no articles: ${(error as Error).message}`, 'warn');
    return settings;
  }
  say(`added ${variable} to .env: the order by title ignores ${articles}`);
  const value = parser.parse(articles) as readonly string[];
  return { ...settings, sortArticles: { value, source: `.env ${variable}` } };
}
