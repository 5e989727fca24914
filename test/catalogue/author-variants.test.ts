import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  abbreviates,
  compareSpellings,
  formOf,
  givenNameOf,
  groupKey,
  isNameTypo,
} from '../../src/catalogue/author-variants.ts';

describe('the spoken form of a name', () => {
  const table: [author: string, spoken: string][] = [
    ['Jane Austen', 'jane austen'],
    ['Austen, Jane', 'jane austen'],
    ['AUSTEN, Jane', 'jane austen'],
    ['Tolkien, J. R. R.', 'jrr tolkien'],
    ['J.R.R. Tolkien', 'jrr tolkien'],
    ['J. Tolkien R.', 'j tolkien r'],
    ['Louis 1 4', 'louis 1 4'],
    ['', ''],
  ];
  for (const [author, spoken] of table)
    test(JSON.stringify(author), () => {
      assert.equal(formOf(author).spoken, spoken);
    });

  test('has the same words in any order', () => {
    assert.equal(formOf('Jane Austen').words, formOf('Austen Jane').words);
    assert.notEqual(formOf('Jane Austen').spoken, formOf('Austen Jane').spoken);
  });
});

describe('names differ by one typing error', () => {
  const table: [a: string, b: string, isTypo: boolean][] = [
    ['agatha christie', 'agatha christe', true],
    ['jhon smith', 'john smith', true],
    ['dan brown', 'don brown', false],
    ['jane austen', 'jane austin', true],
    ['jane austen', 'joan austin', false],
    ['emile zola', 'emile zoal', true],
    ['smithe', 'smitha', false],
    ['jane smith', 'june smith', false],
    ['a smiths', 'a smith', true],
    ['emile zolas', 'emile zola', true],
    ['smithers', 'smithars', true],
  ];
  for (const [a, b, isTypo] of table)
    test(`${a} and ${b}: ${isTypo}`, () => {
      assert.deepEqual([isNameTypo(a, b), isNameTypo(b, a)], [isTypo, isTypo]);
    });
});

describe('the given name', () => {
  test('is compared below the family name and its first letter', () => {
    assert.deepEqual(givenNameOf('Jane Mary Austen'), { key: 'austen j', given: ['jane', 'mary'], isInitial: false });
    assert.deepEqual(givenNameOf('Austen, J.'), { key: 'austen j', given: ['j'], isInitial: true });
    assert.deepEqual(givenNameOf('J. R. R. Tolkien')?.given, ['j', 'r', 'r']);
  }); // prettier-ignore

  test('is missing in a single name, and in those of several people', () => {
    for (const author of ['Homer', '', 'Jane Austen; Emily Brontë'])
      assert.equal(givenNameOf(author), undefined, author);
  });

  const table: [initials: string[], full: string[], fits: boolean][] = [
    [['j'], ['jane'], true],
    [['j'], ['jane', 'mary'], true],
    [['j', 'r', 'r'], ['john', 'ronald', 'reuel'], true],
    [['j', 'ronald'], ['john', 'ronald'], true],
    [['j', 'm'], ['jane'], false],
    [['j', 'x'], ['jane', 'mary'], false],
    [['ja'], ['jane'], false],
    [['1'], ['1st'], false],
  ];
  for (const [initials, full, fits] of table)
    test(`${initials.join(' ')} ${fits ? 'stands' : 'does not stand'} for ${full.join(' ')}`, () => {
      assert.equal(abbreviates(initials, full), fits);
    });
});

test('the spelling with most books comes first, then by characters, and names the group', () => {
  const spellings = [
    { author: 'b', count: 1 },
    { author: 'c', count: 2 },
    { author: 'a', count: 1 },
  ];
  assert.deepEqual(
    spellings.toSorted(compareSpellings).map(({ author }) => author),
    ['c', 'a', 'b'],
  );
  assert.equal(groupKey([{ author: 'Brontë, E.', count: 1 }]), 'bronte e');
  assert.equal(groupKey([]), '');
});
