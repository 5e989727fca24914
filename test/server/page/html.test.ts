import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFragment } from 'parse5';
import { html, type Content } from '../../../src/server/page/html.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { attribute, textOf, type Element } from '../../support/page.ts';

const texts = [...hostileTexts, 'a\rb', 'a\r\nb', 'a\tb', '\u0001\u007f', 'a\u00a0b', '\ufdd0'];

describe('an inserted text is read back literally, as contents and as an attribute', () => {
  for (const text of texts) {
    test(JSON.stringify(text), () => {
      // prettier-ignore -- white space would be part of the text.
      const { text: markup } = html`<p title="${text}" lang="en">${text}</p>`;
      const [element, ...others] = parseFragment(markup).childNodes as Element[];
      assert.ok(element !== undefined && others.length === 0);
      assert.deepEqual(
        [textOf(element), attribute(element, 'title'), attribute(element, 'lang')],
        [text, text, 'en'],
      );
    });
  }
});

test('a text that HTML cannot represent is replaced', () => {
  assert.equal(html`${'a\0b'}`.text, 'a\ufffdb');
});

test('HTML and lists are inserted unchanged, numbers as text, undefined and false as nothing', () => {
  const rows: Content[] = [html`<b>1</b>`, '<', 2, undefined, false, [html`<i></i>`, '&']];
  assert.equal(html`${rows}`.text, '<b>1</b>&lt;2<i></i>&amp;');
});
