import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joinAuthors, splitAuthors, toInverted } from '../../src/formats/author-names.ts';

describe('authors are split into the names of persons', () => {
  const table: [author: string, names: string[]][] = [
    ['', []],
    ['Homer', ['Homer']],
    ['Eliot, George', ['Eliot, George']],
    ['George Eliot', ['Eliot, George']],
    ['Van Dyke, Henry J.', ['Van Dyke, Henry J.']],
    ['Henry J. Van Dyke', ['Van Dyke, Henry J.']],
    ['Bo Ek, Ann van der Lee', ['Ek, Bo', 'van der Lee, Ann']],
    ['Ek, Bo; Lee, Ann', ['Ek, Bo', 'Lee, Ann']],
    ['Bo Ek / Ann Lee', ['Ek, Bo', 'Lee, Ann']],
    ['Bo Ek & Ann Lee', ['Ek, Bo', 'Lee, Ann']],
    ['Bo Ek, Ann Lee, and Li Oh', ['Ek, Bo', 'Lee, Ann', 'Oh, Li']],
    ['Bo Ek und Ann Lee', ['Ek, Bo', 'Lee, Ann']],
    ['Bo Ek y Ann Lee', ['Ek, Bo', 'Lee, Ann']],
    ['Santiago Ramón y Cajal', ['Cajal, Santiago Ramón y']],
    ['Ek, Bo and Lee, Ann', ['Ek, Bo', 'Lee, Ann']],
    ['Ek and Lee', ['Ek and Lee']],
    ['Ek, B., Lee, A.', ['Ek, B.', 'Lee, A.']],
    ['Bo Ek, Ann Lee, et al.', ['Ek, Bo', 'Lee, Ann']],
    ['Eliot, George, 1819-1880', ['Eliot, George']],
    ['George Eliot (1819–1880)', ['Eliot, George']],
    ['Ek, Bo, 1950-; Lee, Ann, b. 1960.', ['Ek, Bo', 'Lee, Ann']],
    ['Bo Ek (Illustrator), Ann Lee, ed.', ['Ek, Bo', 'Lee, Ann']],
    ['Ek, Bo, Jr.', ['Ek, Bo, Jr.']],
    ['Bo Ole Ek Jr., Ann Lee', ['Ek, Bo Ole, Jr.', 'Lee, Ann']],
    ['Ministry of Food and Farming', ['Ministry of Food and Farming']],
    ['Ek and Sons', ['Ek and Sons']],
    ['European Space Agency, Ann Lee', ['European Space Agency', 'Lee, Ann']],
    ['张爱玲', ['张爱玲']],
    // As citations have it; `test/catalogue/names.test.ts` has the order of lists.
    ['Simone de Beauvoir', ['de Beauvoir, Simone']],
    ['Bartolomé de las Casas', ['de las Casas, Bartolomé']],
    ['Corrie ten Boom, Corrie Ten Boom', ['ten Boom, Corrie', 'Boom, Corrie Ten']],
    ['Moses ben Maimon', ['ben Maimon, Moses']],
    ['Ursula K. Le Guin', ['Le Guin, Ursula K.']],
    ['Al Green, Al van Dyke', ['Green, Al', 'van Dyke, Al']],
    ['Le Corbusier', ['Le Corbusier']],
    ['Van Morrison', ['Morrison, Van']],
  ];
  for (const [author, names] of table)
    test(JSON.stringify(author), () => {
      assert.deepEqual(splitAuthors(author).map(toInverted), names);
    });

  test('a long text takes linear time', () => {
    assert.equal(splitAuthors('Bo Ek, '.repeat(100_000)).length, 100_000);
    assert.equal(splitAuthors('Bo Ek and '.repeat(100_000)).length, 100_000);
    assert.equal(splitAuthors('Ek and '.repeat(100_000)).length, 1);
    assert.equal(splitAuthors('(['.repeat(100_000)).length, 1);
  });
});

test('joined names are split again into the same persons', () => {
  for (const names of [
    ['Bo Ek'],
    ['Bo Ek', 'Ann Lee'],
    ['Bo Ek', 'Homer'],
    ['Homer', 'Hesiod'],
    ['Ek, Bo', 'Lee, Ann'],
  ])
    assert.equal(splitAuthors(joinAuthors(names)).length, names.length, joinAuthors(names));
  assert.equal(joinAuthors(['Bo Ek', 'Ann Lee']), 'Bo Ek, Ann Lee');
  assert.equal(joinAuthors(['Bo Ek', 'Homer']), 'Bo Ek; Homer');
});
