import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentsFolder } from '../../../../src/cli/commands/serve/documents-folder.ts';
import { temporaryFolder } from '../../../support/temp.ts';

test('the folder of documents is the one that the system names', async (t) => {
  const home = await temporaryFolder(t);
  const config = join(home, '.config');
  await mkdir(config);
  const found = async (text: string) => {
    await writeFile(join(config, 'user-dirs.dirs'), text);
    return documentsFolder({ HOME: home }, 'linux');
  };
  const usual = join(home, 'Documents');
  assert.equal(await documentsFolder({ HOME: home }, 'linux'), usual);
  assert.equal(await documentsFolder({ HOME: home }, 'darwin'), usual);
  const table: [text: string, folder: string][] = [
    ['XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n', join(home, 'Dokumente')],
    ['# XDG_DOCUMENTS_DIR="$HOME/x"\nXDG_DOCUMENTS_DIR="/data/Mes \\"livres\\""\n', '/data/Mes "livres"'],
    ['XDG_DOCUMENTS_DIR="$HOME/"\n', `${home}/`],
    ['XDG_DOCUMENTS_DIR="relative"\n', usual],
    ['XDG_MUSIC_DIR="$HOME/Musik"\n', usual],
  ];
  for (const [text, folder] of table) assert.equal(await found(text), folder, text);
});

test('the folder of documents of Windows is below the profile if the system does not say where', async () => {
  const profile = '/profiles/reader';
  assert.equal(
    await documentsFolder({ USERPROFILE: profile, HOME: '/x' }, 'win32'),
    join(profile, 'Documents'),
  );
});
