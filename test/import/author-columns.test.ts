import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ColumnOverrides } from '../../src/import/column-parts.ts';
import { findColumns, readColumn, unusedColumns } from '../../src/import/columns.ts';

/** The fields of a row of cells, and the columns that are left out. */
function readRow(names: string, row: string, chosen: ColumnOverrides = {}) {
  const [header, cells] = [names.split(';'), row.split(';')];
  const mapping = findColumns(header, chosen);
  const read = (field: 'title' | 'author') => readColumn(mapping[field], (at) => cells[at] ?? '');
  return [read('title'), read('author'), ...unusedColumns({ mapping, header })];
}

describe('several columns make one field', () => {
  const table: [header: string, row: string, fields: string[], chosen?: ColumnOverrides][] = [
    ['Title;First Name;Last Name', 'Silas Marner;George;Eliot', ['Silas Marner', 'George Eliot']],
    ['Name;Vorname;Titel', 'Storm;Theodor;Immensee', ['Immensee', 'Theodor Storm']],
    ['Titre;Nom de l’auteur;Prénom de l’auteur', 'Nana;Zola;Émile', ['Nana', 'Émile Zola']],
    ['Titolo;Cognome;Nome', 'Zeno;Svevo;Italo', ['Zeno', 'Italo Svevo']],
    ['Titel;Autor;Vorname', 'Immensee;Storm;Theodor', ['Immensee', 'Theodor Storm']],
    [
      'Title;Author;First Name;Last Name',
      'Emma;Austen;Ann;Lee',
      ['Emma', 'Austen', 'First Name', 'Last Name'],
    ],
    [
      'Title;Last Name;First Name;Middle Name',
      'Walden;Thoreau;Henry;David',
      ['Walden', 'Henry David Thoreau'],
    ],
    ['Title;Author 1;Author 2;Author 3', 'A;Ann Lee;Bo Ek;', ['A', 'Ann Lee, Bo Ek']],
    ['Title;Author;Author2', 'A;Lee, Ann;Ek, Bo', ['A', 'Lee, Ann; Ek, Bo']],
    ['Title;1st Author;2nd Author', 'A;Ann Lee;Bo Ek', ['A', 'Ann Lee, Bo Ek']],
    [
      'Title;author_1_last;author_1_first;author_2_last;author_2_first',
      'A;Lee;Ann;Ek;Bo',
      ['A', 'Ann Lee, Bo Ek'],
    ],
    ['Title;Authors;Author 1', 'A;Ann Lee and Bo Ek;Ann Lee', ['A', 'Ann Lee and Bo Ek', 'Author 1']],
    ['Titel;Autor;Mitautoren', 'A;Ann Lee;Bo Ek', ['A', 'Ann Lee, Bo Ek']],
    ['Title;Subtitle;Author', 'Walden;Life in the Woods;X', ['Walden: Life in the Woods', 'X']],
    [
      'Title;Subtitle;Author',
      'Walden: Life in the Woods;Life in the Woods;X',
      ['Walden: Life in the Woods', 'X'],
    ],
    ['Title;Subtitle;Author', ' Walden ;;X', [' Walden ', 'X']],
    ['Titel;Band;Untertitel', 'Chronik;2;1900;', ['Chronik. 2: 1900', '']],
    ['Title;Series;Volume', 'Dawn;Xenogenesis;1', ['Dawn', '', 'Series', 'Volume']],
    [
      'Werk;Zusatz;Wer;Und',
      'A;B;Lee, Ann;Ek, Bo',
      ['A: B', 'Lee, Ann; Ek, Bo'],
      { title: ['Werk', 'Zusatz'], author: ['Wer', 'Und'] },
    ],
    ['Werk;Familie;Ruf', 'A;Lee;Ann', ['A', 'Ann Lee'], { title: 0, lastName: 1, firstName: 2 }],
  ];
  for (const [header, row, fields, chosen] of table)
    test(`${header} ${JSON.stringify(chosen ?? {})}`, () => {
      assert.deepEqual(readRow(header, row, chosen), fields);
    });
});
