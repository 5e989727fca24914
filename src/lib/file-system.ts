import { statfs } from 'node:fs/promises';

/** What a store needs to know of the disk that it is on. */
export interface FileSystem {
  /** The bytes that this user may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** The kind of a file system that is not on this machine, where locks and memory maps may fail: `NFS`. */
  readonly network?: string;
}

/** Reads the file system of a folder. On other systems than Linux, `network` is known for paths such as `\\server\share` alone. */
export async function inspectFileSystem(path: string): Promise<FileSystem> {
  const { type, bsize, bavail, blocks } = await statfs(path);
  const isShare = process.platform === 'win32' && /^\\\\(?![?.]\\(?!UNC\\))/i.test(path);
  const network = isShare ? 'SMB' : process.platform === 'linux' ? networkOf(type) : undefined;
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    ...(network !== undefined && { network }),
  };
}

/** The network file system with a number of `statfs(2)`, some of which are negative where a C `long` has 32 bits. */
export function networkOf(type: number): string | undefined {
  return networkTypes.get(type >>> 0);
}

/** From linux/magic.h and the manual page statfs(2). FUSE has sshfs, s3fs, mergerfs and the shared folders of Docker Desktop. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'VirtualBox'],
]);
