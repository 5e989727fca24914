import type { BookFields } from '../../src/index.ts';

/** A field of a test: `245 10$aEmma :$ba novel /`, or `008 …` without subfields. A space in the indicators is a space, `$$` a dollar. */
export type FieldText = string;

/** Builds a record of ISO 2709. @param leader Positions 5 to 9: status, kind, level, control, encoding. */
export function marcRecord(fields: readonly FieldText[], leader = 'nam a'): Buffer {
  let directory = '';
  const contents: Buffer[] = [];
  let start = 0;
  for (const field of fields) {
    const tag = field.slice(0, 3);
    const content = Buffer.from(
      `${field.slice(4).replace(/\$\$?/g, ({ length }) => (length === 1 ? '\x1f' : '$'))}\x1e`,
    );
    directory += tag + String(content.length).padStart(4, '0') + String(start).padStart(5, '0');
    contents.push(content);
    start += content.length;
  }
  const base = 24 + directory.length + 1;
  const length = base + start + 1;
  const head = `${String(length).padStart(5, '0')}${leader}22${String(base).padStart(5, '0')} a 4500`;
  return Buffer.concat([Buffer.from(`${head}${directory}\x1e`), ...contents, Buffer.from('\x1d')]);
}

/** As `marcRecord`, with bytes that are not UTF-8: each character of the fields is a byte. */
export function marc8Record(fields: readonly FieldText[]): Buffer {
  const bytes = marcRecord(
    fields.map((field) => field.replace(/[\x80-\xff]/g, '?')),
    'nam  ',
  );
  const originals = fields.join('');
  let at = 0;
  const found = [...originals.matchAll(/[\x80-\xff]/g)].map(([character]) => character.charCodeAt(0));
  return Buffer.from(bytes.map((byte) => (byte === 0x3f ? (found[at++] ?? byte) : byte)));
}

const date = (year: string, kind = 's') => `008 991020${kind}${year.padEnd(8)}nyua          001 0 eng  `;

/** Records as the Library of Congress and Koha write them, and the books they are. */
export const marcExamples: readonly ({ readonly name: string; readonly fields: FieldText[] } & BookFields)[] =
  [
    {
      name: 'two authors and a subtitle',
      fields: [
        '001 12345',
        date('1999'),
        '020   $a020161622X',
        '100 1 $aHunt, Andrew,$d1964-',
        '245 14$aThe pragmatic programmer :$bfrom journeyman to master /$cAndrew Hunt, David Thomas.',
        '260   $aReading, Mass :$bAddison-Wesley,$c2000, c1999.',
        '700 1 $aThomas, David,$d1956-',
      ],
      title: 'The pragmatic programmer: from journeyman to master',
      author: 'Andrew Hunt, David Thomas',
      year: 1999,
    },
    {
      name: 'a romanized record whose original script is in 880, which is read',
      fields: [
        date('2002'),
        '100 1 $6880-01$aMurakami, Haruki,$d1949-',
        '245 10$6880-02$aUmibe no Kafuka /$cMurakami Haruki.',
        '264  1$6880-03$aTōkyō :$bShinchōsha,$c2002.',
        '880 1 $6100-01/$1$a村上春樹.',
        '880 10$6245-02/$1$a海辺のカフカ /$c村上春樹.',
      ],
      title: '海辺のカフカ',
      author: '村上春樹',
      year: 2002,
    },
    {
      name: 'decomposed characters, a forename, and a year that only 264 has',
      fields: [
        date('uuuu', 'n'),
        '100 0 $aJohn Paul$bII,$cPope,$d1920-2005.',
        '245 10$aMe\u0301moire et identite\u0301 =$bMemory and identity /$cJohn Paul II.',
        '264  1$aParis :$bFlammarion,$c[2005]',
      ],
      title: 'Mémoire et identité: Memory and identity',
      author: 'John Paul II',
      year: 2005,
    },
    {
      name: 'parts, an editor beside an author, and a translator',
      fields: [
        date('1987'),
        '100 1 $aKing, Martin Luther,$cJr.,$d1929-1968,$eauthor.',
        '245 10$aWorks.$nVolume 2,$pLetters :$b1955-1960 /$cMartin Luther King.',
        '700 1 $aCarson, Clayborne,$eeditor.',
        '700 1 $aMüller, Anna,$4trl',
        '700 12$aOther, Author.$tAnother work.',
      ],
      title: 'Works. Volume 2, Letters: 1955-1960',
      author: 'Martin Luther King Jr.',
      year: 1987,
    },
    {
      name: 'an editor alone',
      fields: [
        date('2010'),
        '245 00$aEssays on trees /$cedited by Ann Lee.',
        '700 1 $aLee, Ann B.,$eeditor.',
        '710 2 $aProQuest (Firm)',
      ],
      title: 'Essays on trees',
      author: 'Ann B. Lee',
      year: 2010,
    },
    {
      name: 'a body, a title that is an initialism, and copyright',
      fields: [
        date('    ', '|'),
        '110 1 $aUnited States.$bCongress.',
        '245 10$aHistory of the U.S.A. / by the Congress.',
        '264  4$c©1976',
      ],
      title: 'History of the U.S.A.',
      author: 'United States. Congress',
      year: 1976,
    },
    {
      name: 'sort marks of the Deutsche Nationalbibliothek, without ISBD',
      fields: [
        date('1915'),
        '100 1 $aKafka, Franz$d1883-1924$4aut',
        '245 14$a\u0098Die\u009c Verwandlung$bErzählung',
        '700 1 $aBrod, Max$4edt',
      ],
      title: 'Die Verwandlung: Erzählung',
      author: 'Franz Kafka',
      year: 1915,
    },
    {
      name: 'a name in Cyrillic, a title in Latin letters alone, and a link that leads nowhere',
      fields: [
        date('1869'),
        '100 1 $6880-01$aTolstoĭ, Lev,$d1828-1910.',
        '245 10$6880-02$aVoĭna i mir.',
        '880 1 $6100-01/(N$aТолстой, Лев,$d1828-1910.',
      ],
      title: 'Voĭna i mir',
      author: 'Лев Толстой',
      year: 1869,
    },
    {
      name: 'a reprint whose dates are in the wrong order',
      fields: [date('18732010', 'r'), '100 1 $aVerne, Jules.', '245 10$aLe tour du monde /'],
      title: 'Le tour du monde',
      author: 'Jules Verne',
      year: 2010,
    },
    {
      name: 'an article in the brackets that sorting ignores',
      fields: [date('1920'), '100 1 $aHesse, Hermann.', '245 14$a<<Der>> Steppenwolf /'],
      title: 'Der Steppenwolf',
      author: 'Hermann Hesse',
      year: 1920,
    },
    {
      name: 'UNIMARC: a subtitle, two authors and a translator',
      fields: [
        '100   $a20020415d1975    m  y0frey50      ba',
        '200 1 $a\u0098Les \u009cChoses$eune histoire$fGeorges Perec',
        '210   $aParis$cJulliard$d1965',
        '700  1$aPerec$bGeorges$f1936-1982$4070',
        '701  1$aRoubaud$bJacques$4070',
        '702  1$aMüller$bAnna$4730',
      ],
      title: 'Les Choses: une histoire',
      author: 'Georges Perec, Jacques Roubaud',
      year: 1975,
    },
    {
      name: 'UNIMARC: a part, a body, and a year in 214',
      fields: ['200 1 $aBulletin$hTome 2$iIndex', '214  0$d[2001]', '710 02$aInstitut$bArchives'],
      title: 'Bulletin. Tome 2, Index',
      author: 'Institut. Archives',
      year: 2001,
    },
    {
      name: 'a date before the common era',
      fields: [date('    ', 'b'), '046   $ab$b0750', '100 0 $aHomer.', '245 10$aIlias.'],
      title: 'Ilias',
      author: 'Homer',
      year: -750,
    },
  ];
