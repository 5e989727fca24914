// A library to preload: makes the n-th call on a file below a folder fail, or write and read only a part. The test shares a
// block of memory with it, through the file that DISK_FAULTS names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPEN = 1, READ = 2, WRITE = 4, SYNC = 8, TRUNCATE = 16, NAME = 32 };

// The layout is that of `disk-faults.ts`.
static struct block {
  int32_t armed;
  int32_t calls;   // The kinds of calls that count.
  int32_t error;   // 0: only a part is read or written.
  int32_t lasting; // Whether later calls fail, too.
  int32_t n;
  int32_t count;
  int32_t hits;
  char folder[484];
  char hit[512]; // The last call that failed.
} *block;

__attribute__((constructor)) static void load(void) {
  const char *path = getenv("DISK_FAULTS");
  int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) block = mapped;
}

static int strike(int kind, const char *call, const char *path) {
  if (!block || !__atomic_load_n(&block->armed, __ATOMIC_SEQ_CST) || !(block->calls & kind)) return 0;
  if (strncmp(path, block->folder, strlen(block->folder))) return 0;
  int count = __atomic_add_fetch(&block->count, 1, __ATOMIC_SEQ_CST);
  if (block->lasting ? count < block->n : count != block->n) return 0;
  __atomic_add_fetch(&block->hits, 1, __ATOMIC_SEQ_CST);
  snprintf(block->hit, sizeof block->hit, "%s %s", call, path + strlen(block->folder));
  return 1;
}

static int strike_file(int kind, const char *call, int file) {
  char link[64], path[4096];
  if (!block || !block->armed || !(block->calls & kind)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strike(kind, call, path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL return errno = block->error, -1

#define OPENER(name)                                                          \
  int name(const char *path, int flags, ...) {                                \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                             \
    if (block && block->error && strike(OPEN, "open", path)) FAIL;            \
    return REAL(name)(path, flags, mode);                                     \
  }
OPENER(open)
OPENER(open64)

#define MOVER(name, kind, Buffer, Offset)                                     \
  ssize_t name(int file, Buffer buffer, size_t size, Offset offset) {         \
    if (strike_file(kind, #name, file)) {                                     \
      if (block->error) FAIL;                                                 \
      size = (size + 1) / 2;                                                  \
    }                                                                         \
    return REAL(name)(file, buffer, size, offset);                            \
  }
MOVER(pread, READ, void *, off_t)
MOVER(pread64, READ, void *, off64_t)
MOVER(pwrite, WRITE, const void *, off_t)
MOVER(pwrite64, WRITE, const void *, off64_t)

ssize_t read(int file, void *buffer, size_t size) {
  if (strike_file(READ, "read", file)) {
    if (block->error) FAIL;
    size = (size + 1) / 2;
  }
  return REAL(read)(file, buffer, size);
}

ssize_t write(int file, const void *buffer, size_t size) {
  if (strike_file(WRITE, "write", file)) {
    if (block->error) FAIL;
    size = (size + 1) / 2;
  }
  return REAL(write)(file, buffer, size);
}

#define ON_FILE(name, kind, parameters, ...)                                  \
  int name parameters {                                                       \
    if (block && block->error && strike_file(kind, #name, file)) FAIL;        \
    return REAL(name)(__VA_ARGS__);                                           \
  }
ON_FILE(fsync, SYNC, (int file), file)
ON_FILE(fdatasync, SYNC, (int file), file)
ON_FILE(ftruncate, TRUNCATE, (int file, off_t length), file, length)
ON_FILE(ftruncate64, TRUNCATE, (int file, off64_t length), file, length)
ON_FILE(fallocate, TRUNCATE, (int file, int mode, off_t offset, off_t length), file, mode, offset, length)

#define ON_NAME(name, parameters, ...)                                        \
  int name parameters {                                                       \
    if (block && block->error && strike(NAME, #name, path)) FAIL;             \
    return REAL(name)(__VA_ARGS__);                                           \
  }
ON_NAME(rename, (const char *path, const char *to), path, to)
ON_NAME(unlink, (const char *path), path)
ON_NAME(mkdir, (const char *path, mode_t mode), path, mode)
