// Preloaded into a process, makes every write to a regular file take only half of what it was given. Says so by making the file $SHORT_WRITES.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static size_t half(int fd, size_t count) {
  struct stat st;
  if (count < 2 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return count;
  const char *mark = getenv("SHORT_WRITES");
  if (mark) close(open(mark, O_CREAT | O_WRONLY, 0600));
  return count / 2;
}

ssize_t write(int fd, const void *data, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  return real(fd, data, half(fd, count));
}

ssize_t pwrite64(int fd, const void *data, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  return real(fd, data, half(fd, count), at);
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t at) { return pwrite64(fd, data, count, at); }
