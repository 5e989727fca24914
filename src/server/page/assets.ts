import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import type { Language } from '../../texts/texts.ts';
import type { Bodies } from '../http/negotiation.ts';

/** A file that the page loads, in each encoding. */
export interface Asset {
  readonly type: string;
  readonly bodies: Bodies;
  readonly hash: string;
}

export interface Assets {
  readonly script: string;
  readonly style: string;
  /** The script with the texts of a language; `undefined` for English. */
  readonly textsOf: (language: Language) => string | undefined;
  readonly byName: ReadonlyMap<string, Asset>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

let loading: Promise<Assets> | undefined;

/** Loads the files of the page, on first use: a service without visitors does not need them. */
export function loadAssets(): Promise<Assets> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Assets> {
  const { pageFiles } = await import('./page-files.ts');
  const entries = await Promise.all(
    pageFiles().map(async ({ name, brotli }): Promise<[string, Asset]> => {
      const br = Buffer.from(brotli, 'base64');
      const identity = await promisify(brotliDecompress)(br);
      const bodies = { br, gzip: await promisify(gzip)(identity, { level: 9 }), identity };
      const hash = name.replace(/^[a-z]+-|\..*$/g, '');
      return [name, { type: types[extname(name)] ?? '', bodies, hash }];
    }),
  );
  const byName = new Map(entries);
  const names = [...byName.keys()];
  const nameOf = (start: string, extension: string) =>
    names.find((name) => name.startsWith(start) && name.endsWith(extension));
  return {
    script: nameOf('app-', '.js') ?? '',
    style: nameOf('app-', '.css') ?? '',
    textsOf: (language) => nameOf(`texts-${language}-`, '.js'),
    byName,
  };
}
