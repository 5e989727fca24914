import { escapeHtml } from '../../lib/html-text.ts';

/** Text that is HTML already. Every other text is escaped where it is inserted. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a template. `undefined` and `false` insert nothing. */
export type Content = Html | string | number | false | undefined | readonly Content[];

/**
 * A template of HTML. Inserted texts are escaped for contents of elements and for attribute values in quotes, and for nothing
 * else: no scripts, styles or comments.
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.map((part, i) => part + insert(contents[i])).join(''));
}

function insert(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(insert).join('');
  return escapeHtml(String(content));
}
