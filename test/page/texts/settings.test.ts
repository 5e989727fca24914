import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLanguages } from '../../../src/catalogue/changeable-settings.ts';
import { checkSetting } from '../../../src/config/settings.ts';
import { settingsTexts } from '../../../src/texts/settings.ts';
import { languages } from '../../../src/texts/texts.ts';

/** All texts below a value, with sample values. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function')
    return [0, 1, 2].map((n) => (value as (...args: unknown[]) => string)('x', n));
  return Object.values(value as object).flatMap(textsOf);
}

for (const language of languages)
  test(`the texts of the settings in ${language} are complete`, () => {
    const own = textsOf(settingsTexts[language]);
    assert.equal(own.length, textsOf(settingsTexts.en).length);
    for (const text of own) {
      assert.match(text, /\S/);
      assert.doesNotMatch(text, /undefined|NaN/);
      if (language === 'fr')
        assert.doesNotMatch(text.replaceAll('https://', ''), /[^\u202f ][:;!?](\s|$)| [:;!?»]|« /u);
    }
  });

test('the settings offer each language of the page, and that of the reader', () => {
  assert.deepEqual([...pageLanguages].sort(), ['auto', ...languages].sort());
  for (const each of pageLanguages) assert.equal(checkSetting('pageLanguage', each), undefined);
});
