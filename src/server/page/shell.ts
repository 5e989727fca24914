import { version } from '../../../package.json';
import { serverLanguages } from '../../page/texts/server-texts.ts';
import type { Language } from '../../page/texts/texts.ts';
import type { Assets } from './assets.ts';
import { html, type Html } from './html.ts';

export interface Shell {
  readonly language: Language;
  /** Says what is shown, without the name of the program. */
  readonly title?: string | undefined;
  /** Shown until the script takes over, or instead of it. */
  readonly content: Html;
  /** The path of the folder of the page for browsers; `undefined`: that of its address. */
  readonly publicPath: string | undefined;
  /** Whether everybody may read the books. */
  readonly publicRead: boolean;
}

/** A book with a ribbon. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath d='M3 1h10v14H5a2 2 0 0 1-2-2z' fill='%23475569'/%3E%3Cpath d='M9 1h2v7L10 7 9 8z' fill='%23fbbf24'/%3E%3C/svg%3E";

/** The document around a page. Its addresses are relative, so it works below any path that ends in `/`. */
export function renderShell(
  { script, style }: Assets,
  { language, title, content, publicRead, publicPath }: Shell,
): string {
  const name = 'shelflist';
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        ${publicPath === undefined ? '' : html`<base href="${publicPath}/" />`}
        <title>${title === undefined ? name : `${title} · ${name}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${serverLanguages[language].server.description}" />
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="assets/${style}" />
        <script type="module" src="assets/${script}"></script>
      </head>
      <body>
        <div id="app" data-public-read="${String(publicRead)}" data-version="${version}">${content}</div>
      </body>
    </html> `;
  return page.text;
}
