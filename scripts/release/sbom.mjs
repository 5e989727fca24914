import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

/**
 * Bills of materials in CycloneDX 1.6: which packages, in which versions, are in what a release publishes. They contain
 * no time and no random number, so the same commit gives the same bytes.
 */
const root = join(import.meta.dirname, '../..');
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/** Separates the licences of `LICENSES.txt`. Each begins with the name of its package. */
const rule = `\n${'-'.repeat(80)}\n\n`;

/**
 * What a release publishes: the package for npm and the container image have the packages that they depend on beside them,
 * a program without Node has them, and Node, inside.
 *
 * @param kind `package`, `image` or `program`.
 * @param licenses The text of `LICENSES.txt`, which names what is bundled.
 * @throws {Error} A bundled package is not in the lock file.
 */
export function sbomOf(kind, { manifest, lock, licenses }) {
  const { name, version, license } = manifest;
  const bundled = licenses.split(rule).map((text) => text.split('\n', 1)[0]);
  const paths = new Set(
    bundled.filter((each) => !each.startsWith('node ')).map((each) => `node_modules/${each}`),
  );
  // A package that is for some systems only is listed for all.
  if (kind !== 'program')
    for (const [path, { dev, devOptional }] of Object.entries(lock.packages))
      if (path !== '' && !dev && !devOptional) paths.add(path);
  const runtime = bundled.find((each) => each.startsWith('node '));
  const components = [...paths].sort().map((path) => {
    const entry = lock.packages[path];
    if (entry === undefined) throw new Error(`${path} is bundled, and not in package-lock.json`);
    return packageComponent(path, entry);
  });
  if (runtime !== undefined) components.push(nodeComponent(runtime.slice('node '.length)));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        'bom-ref': `${name}@${version}`,
        type: kind === 'image' ? 'container' : 'application',
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: `pkg:npm/${name}@${version}`,
      },
    },
    components,
    dependencies: [
      { ref: `${name}@${version}`, dependsOn: components.map((component) => component['bom-ref']) },
    ],
  };
}

function packageComponent(path, { version, integrity, license }) {
  const name = path.replace(/.*node_modules\//, '');
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const digest = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    ...(digest && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    // A name of SPDX has no spaces, an expression has.
    ...(license && {
      licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    }),
    purl,
  };
}

function nodeComponent(version) {
  const purl = `pkg:generic/node@${version}`;
  return { 'bom-ref': purl, type: 'platform', name: 'node', version, purl };
}

/** `node scripts/release/sbom.mjs KIND LICENSES.txt` prints the bill of materials. */
if (resolve(process.argv[1] ?? '') === import.meta.filename) {
  const [kind, licenses] = process.argv.slice(2);
  if (!['package', 'image', 'program'].includes(kind) || licenses === undefined)
    throw new Error('usage: node scripts/release/sbom.mjs package|image|program LICENSES.txt');
  const bill = sbomOf(kind, {
    manifest: readJson('package.json'),
    lock: readJson('package-lock.json'),
    licenses: readFileSync(licenses, 'utf8'),
  });
  process.stdout.write(`${JSON.stringify(bill, undefined, 2)}\n`);
}
