import type { ErrorCode, ShelflistError } from '../../catalogue/errors.ts';
import { serverLanguages, type AllTexts } from '../../page/texts/server-texts.ts';
import type { Language } from '../../page/texts/texts.ts';
import { html, type Html } from './html.ts';

/** The errors that have a page, and its title. */
const titles: Partial<Record<ErrorCode, keyof AllTexts['server']>> = {
  invalid_query: 'invalidQuery',
  book_not_found: 'bookNotFound',
  unavailable: 'unavailable',
};

/** Renders an error; `undefined` if it has no page. */
export function errorContent(
  { code, status, message, wireMessage }: ShelflistError,
  language: Language,
): { title: string; content: Html } | undefined {
  const name = titles[code];
  if (name === undefined) return undefined;
  const { server, list } = serverLanguages[language];
  const title = server[name];
  // Only this message is for clients: it names a parameter. It is not translated.
  const details =
    code === 'invalid_query' && message !== wireMessage && html`<p lang="en" dir="ltr">${message}</p>`;
  const content = html`<main>
    <h1>${title}</h1>
    ${details} ${status === 503 && html`<p>${server.tryAgain}</p>`}
    <p><a href="./">${list.allBooks}</a></p>
  </main>`;
  return { title, content };
}
