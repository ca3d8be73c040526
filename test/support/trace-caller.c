// Calls that no program at hand makes: argument 1 names the call. In the working directory there is a folder `d`.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *write_many(void *name) {
  char path[64];
  for (int i = 0; i < 200; i++) {
    snprintf(path, sizeof path, "d/%s-%d", (char *)name, i);
    close(open(path, O_WRONLY | O_CREAT, 0644));
  }
  return NULL;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const int dir = open("d", O_RDONLY | O_DIRECTORY);
  if (strcmp(what, "dirfd") == 0) {
    close(openat(dir, "../d/./in", O_WRONLY | O_CREAT, 0644));
    renameat(dir, "in", AT_FDCWD, "out");
    return mkdirat(dir, "made", 0755) | unlinkat(dir, "made", AT_REMOVEDIR);
  }
  if (strcmp(what, "exchange") == 0) return renameat2(AT_FDCWD, "a", dir, "b", RENAME_EXCHANGE);
  if (strcmp(what, "tmpfile") == 0) {
    char link[64];
    const int fd = open("d", O_WRONLY | O_TMPFILE, 0644);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, link, dir, "linked", AT_SYMLINK_FOLLOW);
  }
  if (strcmp(what, "fchmod") == 0) return fchmod(open("a", O_RDONLY), 0600);
  if (strcmp(what, "by-fd-path") == 0) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d/through", dir);
    return open(path, O_WRONLY | O_CREAT, 0644) < 0;
  }
  if (strcmp(what, "openat2") == 0) {
    struct { unsigned long long flags, mode, resolve; } how = {O_WRONLY | O_CREAT, 0644, 0}, read_only = {O_RDONLY, 0, 0};
    syscall(437, AT_FDCWD, "a", &read_only, sizeof read_only);
    return syscall(437, dir, "second", &how, sizeof how) < 0;
  }
  if (strcmp(what, "not-dumpable") == 0) {
    prctl(PR_SET_DUMPABLE, 0);
    return open("hidden", O_WRONLY | O_CREAT, 0644) < 0;
  }
  if (strcmp(what, "threads") == 0) {
    pthread_t threads[16];
    char names[16][8];
    for (int i = 0; i < 16; i++) {
      snprintf(names[i], 8, "t%d", i);
      pthread_create(&threads[i], NULL, write_many, names[i]);
    }
    for (int i = 0; i < 16; i++) pthread_join(threads[i], NULL);
    return 0;
  }
  if (strcmp(what, "io-uring") == 0) {
    char params[120] = {0};
    return syscall(425, 8, params) == -1 && errno == ENOSYS ? 0 : 1;
  }
#ifdef __x86_64__
  if (strcmp(what, "other-architecture") == 0) {
    // `open` as a program of 32 bits calls it; its name must be in the first 4 GiB.
    static char name[] = "by-32-bits";
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(5), "b"(name), "c"(O_WRONLY | O_CREAT), "d"(0644) : "memory", "r8", "r9", "r10", "r11");
    return result < 0;
  }
#endif
  return 2;
}
