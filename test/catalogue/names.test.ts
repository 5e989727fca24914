import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { citedFamilyAt, familyFirst, firstPerson, isFamilyFirst } from '../../src/catalogue/names.ts';
import { foldText } from '../../src/catalogue/fold.ts';

const asOrdered = (author: string) => foldText(familyFirst(author));

describe('the text of an author with the family name in front', () => {
  const table: [what: string, ...rows: [author: string, ordered: string][]][] = [
    ['is the last word', ['Jane Austen', 'austen jane'], ['J. R. R. Tolkien', 'tolkien j r r']],
    [
      'is what stands before a comma',
      ['Tolkien, J.R.R.', 'tolkien j r r'],
      ['Le Guin, Ursula K.', 'le guin ursula k'],
      ['Van Dyke, Dick', 'van dyke dick'],
      ['García Lorca, F.', 'garcia lorca f'],
    ],
    [
      'has capitalised particles',
      ['Ursula K. Le Guin', 'le guin ursula k'],
      ['Melissa De La Cruz', 'de la cruz melissa'],
      ['Edward St. Aubyn', 'st aubyn edward'],
      ['Le Corbusier', 'le corbusier'],
    ],
    [
      'has no particle that is a given name, or initials',
      ['Van Morrison', 'morrison van'],
      ['Mac Barnett, Jon Klassen', 'barnett mac jon klassen'],
      ['L.A. Casey', 'casey l a'],
      ['J.R. Ward', 'ward j r'],
    ],
    [
      'is followed by particles in small letters',
      ['Ludwig van Beethoven', 'beethoven ludwig van'],
      ['van Beethoven, Ludwig', 'beethoven ludwig van'],
      ['Honoré de Balzac', 'balzac honore de'],
      ['Jean de La Fontaine', 'la fontaine jean de'],
      ['Jean le Rond d’Alembert', 'alembert jean le rond d'],
      ['Muhammad al-Khwarizmi', 'khwarizmi muhammad al'],
      ['al-Khwarizmi, Muhammad', 'khwarizmi muhammad al'],
    ],
    [
      'is followed by suffixes',
      ['Kurt Vonnegut Jr.', 'vonnegut kurt jr'],
      ['Kurt Vonnegut, Jr.', 'vonnegut kurt jr'],
      ['John F. Kennedy III', 'kennedy john f iii'],
      ['Oliver Sacks, M.D.', 'sacks oliver m d'],
      ['King, Martin Luther, Jr.', 'king martin luther jr'],
    ],
    [
      'is that of the first author',
      ['J.K. Rowling, Mary GrandPré', 'rowling j k mary grandpre'],
      ['Neil Gaiman, Terry Pratchett', 'gaiman neil terry pratchett'],
      ['Tolkien, J.R.R.; Lewis, C.S.', 'tolkien j r r lewis c s'],
      ['Jane Austen & Seth Grahame-Smith', 'austen jane seth grahame smith'],
      ['Terry Pratchett and Neil Gaiman', 'pratchett terry and neil gaiman'],
      ['Jacob Grimm und Wilhelm Grimm', 'grimm jacob und wilhelm grimm'],
      ['Ann Druyan/Carl Sagan', 'druyan ann carl sagan'],
      ['Stephen King (Introduction)', 'king stephen introduction'],
      ['Haruki Murakami, 村上 春樹', 'murakami haruki 村上 春樹'],
      ['A.L. Singer, Walt Disney Company', 'singer a l walt disney company'],
    ],
  ];
  for (const [what, ...rows] of table)
    test(what, () => {
      for (const [author, ordered] of rows) assert.equal(asOrdered(author), ordered, author);
    });

  test('is the text as it is for single words, organisations, and scripts without spaces', () => {
    const authors = [
      ...[
        '',
        ' , ',
        'Homer',
        'Jr.',
        'Plato, Desmond Lee',
        'World Health Organization',
        'Oxford University Press',
      ],
      ...[
        'Verein für Socialpolitik',
        'Ministère de la Culture',
        'Universidad de Chile',
        'The Arbinger Institute',
      ],
      ...[
        'Department of Health and Human Services',
        '村上 春樹',
        '김 영하',
        'มานะ มานี',
        `${'x'.repeat(600)} y`,
      ],
    ];
    for (const author of authors) assert.equal(asOrdered(author), foldText(author), author);
  });

  test('keeps each word, also of long lists of authors', () => {
    const many = Array.from({ length: 100 }, (_, i) => `Given${i} Family${i}`).join(', ');
    for (const author of [many, many.replaceAll(', ', '; '), `${many}, ${many}`]) {
      const words = (text: string) => foldText(text).split(' ').sort();
      assert.deepEqual(words(familyFirst(author)), words(author));
      assert.ok(asOrdered(author).startsWith('family0 given0'));
    }
  });
});

test('a name in whichever order has the same family and given names', () => {
  const pairs = [
    ['Ursula K. Le Guin', 'Le Guin, Ursula K.'],
    ['Ludwig van Beethoven', 'van Beethoven, Ludwig'],
    ['Muhammad al-Khwarizmi', 'al-Khwarizmi, Muhammad'],
  ];
  for (const [spoken = '', inverted = ''] of pairs) {
    const [a, b] = [firstPerson(spoken), firstPerson(inverted)];
    assert.deepEqual([a?.family, a?.given], [b?.family, b?.given]);
    assert.deepEqual([a?.isInverted, b?.isInverted], [false, true]);
  }
});

describe('two texts, which a comma separates', () => {
  const table: [before: string, after: string, isFamilyFirst: boolean][] = [
    ['Austen', 'Jane', true],
    ['Le Guin', 'Ursula K.', true],
    ['van Beethoven', 'Ludwig', true],
    ['García Lorca', 'F.', true],
    ['García Lorca', 'F. X.', true],
    ['García Lorca', 'F.X.', true],
    ['García Lorca', 'Federico', false],
    ['García Lorca', 'F. Federico', false],
    ['García Lorca', 'xF.', false],
    ['García Lorca', 'F.x', false],
    ['García Lorca', 'J.-P.', true],
    ['Mac Barnett', 'Jon Klassen', false],
    ['mac Barnett', 'Jon', true],
    ['Barnett Mac', 'Jon', true],
    ['Neil Gaiman', 'Terry Pratchett', false],
    ['von der', 'X', false],
  ];
  for (const [before, after, expected] of table)
    test(`${before}, ${after}: ${expected ? 'family name first' : 'two people'}`, () => {
      assert.equal(isFamilyFirst(before, after), expected);
    });
});

describe('in a citation, the family name begins with its first particle', () => {
  const table: [name: string, family: string][] = [
    ['Simone de Beauvoir', 'de Beauvoir'],
    ['Jean de La Fontaine', 'de La Fontaine'],
    ['Corrie ten Boom', 'ten Boom'],
    ['Nawal al Saadawi', 'al Saadawi'],
    ['Ursula K. Le Guin', 'Le Guin'],
    ['Jane Austen', 'Austen'],
    ['de Beauvoir', 'Beauvoir'],
    ['Simone Beauvoir de', 'de'],
    ['Ursula Le de', 'Le de'],
    ['Homer', 'Homer'],
  ];
  for (const [name, family] of table)
    test(name, () => {
      const words = name.split(' ');
      assert.equal(words.slice(citedFamilyAt(words)).join(' '), family);
    });
});

test('spaces of any kind and number are the same', () => {
  assert.equal(asOrdered('Jane \t  Austen'), 'austen jane');
  assert.deepEqual(firstPerson('  Jane \n Austen '), firstPerson('Jane Austen'));
});

test('a word beside a suffix after a comma is not a suffix', () => {
  assert.equal(firstPerson('Kurt Vonnegut, Jr. Smith')?.suffix, '');
  assert.equal(firstPerson('Kurt Vonnegut, Jr.')?.suffix, 'Jr.');
  assert.equal(firstPerson('John Smith Jr. PhD')?.suffix, 'Jr. PhD');
  assert.equal(firstPerson('Jane Austen, Emily Brontë')?.others, ', Emily Brontë');
  assert.equal(firstPerson('García Lorca, F., Emily Brontë')?.isInverted, false);
});
