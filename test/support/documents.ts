import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.ts';

/** Every document of the project, except the generated results of the benchmark. */
export const documents: readonly string[] = [
  ...['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'AGENTS.md', 'bench/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];

export function readDocument(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** A fenced block of code. */
export interface Block {
  readonly document: string;
  readonly language: string;
  readonly code: string;
}

const fence = /^```(.*)\n([^]*?)^```$/gm;

export function blocksOf(document: string): Block[] {
  return [...readDocument(document).matchAll(fence)].map(([, language = '', code = '']) => ({
    document,
    language,
    code,
  }));
}

/** The code in a document's sentences and tables, without its blocks. */
export function inlineCodeOf(document: string): string[] {
  const text = readDocument(document).replace(fence, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/**
 * The sentences of a document's paragraphs and list items, without blocks of code, tables, headings and addresses of links. Code in a
 * sentence is one word.
 */
export function sentencesOf(document: string): string[] {
  const prose = readDocument(document)
    .replace(fence, '\n')
    .replace(/^(?:\||#+ ).*$/gm, '')
    .replace(/^\s*(?:[-*]|\d+\.) /gm, '\n')
    .replace(/`[^`]+`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']');
  return prose.split(/\n\s*\n/).flatMap((block) => block.trim().split(/(?<=[.!?][)"*_]*)\s+/));
}

/** A row of a table: cells by column name. */
export type Row = Readonly<Record<string, string>>;

/** The rows of all tables of a document whose first column has this name. */
export function tableOf(document: string, firstColumn: string): Row[] {
  const tables = readDocument(document).match(/(?:^\|.*\|\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [heads = [], , ...rows] = table
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    if (heads[0] !== firstColumn) return [];
    return rows.map((cells) => Object.fromEntries(heads.map((head, i) => [head, cells[i] ?? ''])));
  });
}

/** The code in a cell: the cell `` `a`, `b` `` has a and b. */
export function codeIn(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
