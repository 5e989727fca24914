import type { Book } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import type { AllTexts } from '../../page/texts/server-texts.ts';
import { html, type Html } from './html.ts';
import { valueOf } from './render-list.ts';

/** Renders one book. */
export function renderBook({ fields, list, server }: AllTexts, book: Book): Html {
  const rows = fieldNames
    .filter((name) => name !== 'title' && valueOf(book, name) !== '')
    .map(
      (name) =>
        html`<dt>${fields[name]}</dt>
          <dd dir="auto">${valueOf(book, name)}</dd>`,
    );
  return html`<main>
      <h1 dir="auto">${book.title || list.untitled}</h1>
      <dl>${rows}</dl>
      <nav><a href="./">${list.allBooks}</a></nav>
    </main>
    <noscript><p>${server.changesNeedScript}</p></noscript>`;
}
