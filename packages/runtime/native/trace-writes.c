// trace-writes REPORT ROOT -- PROGRAM ARGS…
//
// Runs PROGRAM and records in the file REPORT which names below the folder ROOT it, and all it starts, open for writing, create, remove or
// rename. The kernel stops each such system call (seccomp user notification) until this process has recorded the name and says "continue".
// This process never answers a call itself and never refuses one, so it can't be used to hold a program: another thread may change the name
// after it was read. It only tells who wrote. Its exit is that of PROGRAM: the same code, or the same signal.
//
// REPORT is "trace-writes 1" and then records, each ended by NUL, with names relative to ROOT:
//   @MS          the next records were made at this time (milliseconds since 1970), within 5 ms
//   t NAME       opened for writing, created, or its permissions were changed
//   d NAME       removed
//   r FROM, TO   renamed, as two records: FROM with the letter, TO without
//   i INODE      a file with several names that was opened for writing
//   x MS         whoever started this process has ended, at this time, and so does PROGRAM
//   l NAME       touched within the last 100 ms before that
// A record is in the file before its call goes on, so the file is whole whenever this process ends. If something can't be known, all of it
// is replaced by "incomplete: WHY". If tracing can't be set up, PROGRAM runs without it and the file says so.
//
// No C library: the program is small, has no licence but ours, and the same compiler makes the same bytes of it.
#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/openat2.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <linux/time_types.h>
#include <linux/uio.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
// From headers that may be older than the kernel, or belong to the C library.
#define SET_FLAGS SECCOMP_IOW(4, __u64)
enum { SYNC_WAKE_UP = 1, EXCHANGE = 2, SHARE_FILES = 0x400, WAIT_FOR_EXEC = 0x4000, KILL = 9, STARTER_ENDED = 12, CHILD_ENDED = 17 };
enum { PATH = 4096, MOST_REPORT = 16 << 20, MARK_MS = 5, LINKS = 8, RECENT = 16, RECENT_MS = 100 };

// ---- System calls ----

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
__asm__(".globl _start\n_start: xor %ebp,%ebp; mov %rsp,%rdi; and $-16,%rsp; call begin\n");
static long call(long nr, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
__asm__(".globl _start\n_start: mov x29, #0; mov x30, #0; mov x0, sp; bl begin\n");
static long call(long nr, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = nr, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "Only x86-64 and AArch64 are known here."
#endif
#define CALL(nr, a, b, c, d, e) call(__NR_##nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

// The compiler may write calls of these by itself.
void *memset(void *to, int byte, size_t n) { for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = (char)byte; return to; }
void *memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
static size_t length(const char *text) { size_t n = 0; while (text[n]) n++; return n; }
static int begins(const char *text, const char *with) { while (*with) if (*text++ != *with++) return 0; return 1; }
static int same(const char *a, const char *b) { return length(a) == length(b) && begins(a, b); }
static char *put(char *to, const char *text) { size_t n = length(text); memcpy(to, text, n + 1); return to + n; }
static char *put_number(char *to, __u64 number) {
  char digits[24], *at = digits + 23;
  for (*at = 0; ; ) { *--at = (char)('0' + number % 10); if ((number /= 10) == 0) return put(to, at); }
}

// ---- The calls that are traced ----

enum kind { OPEN, TOUCH, MADE, REMOVED, RENAMED, BY_FD };
// The arguments that hold a folder (-1: the working directory) and a name in it; for RENAMED the second pair is the new name.
struct traced { int nr; uint8_t kind; int8_t dir, name, flags, to_dir, to_name; };
static const struct traced traced[] = {
#ifdef __NR_open
  {__NR_open, OPEN, -1, 0, 1, 0, 0}, {__NR_creat, OPEN, -1, 0, -1, 0, 0}, {__NR_chmod, TOUCH, -1, 0, -1, 0, 0},
  {__NR_chown, TOUCH, -1, 0, -1, 0, 0}, {__NR_lchown, TOUCH, -1, 0, -1, 0, 0}, {__NR_mkdir, MADE, -1, 0, -1, 0, 0},
  {__NR_mknod, MADE, -1, 0, -1, 0, 0}, {__NR_symlink, MADE, -1, 1, -1, 0, 0}, {__NR_link, MADE, -1, 1, -1, 0, 0},
  {__NR_unlink, REMOVED, -1, 0, -1, 0, 0}, {__NR_rmdir, REMOVED, -1, 0, -1, 0, 0}, {__NR_rename, RENAMED, -1, 0, -1, -1, 1},
#endif
#ifdef __NR_renameat
  {__NR_renameat, RENAMED, 0, 1, -1, 2, 3},
#endif
  {__NR_openat, OPEN, 0, 1, 2, 0, 0}, {__NR_openat2, OPEN, 0, 1, 2, 0, 0}, {__NR_truncate, TOUCH, -1, 0, -1, 0, 0},
  {__NR_fchmod, BY_FD, 0, -1, -1, 0, 0}, {__NR_fchown, BY_FD, 0, -1, -1, 0, 0}, {__NR_fchmodat, TOUCH, 0, 1, -1, 0, 0},
  {__NR_fchmodat2, TOUCH, 0, 1, -1, 0, 0}, {__NR_fchownat, TOUCH, 0, 1, -1, 0, 0}, {__NR_mkdirat, MADE, 0, 1, -1, 0, 0},
  {__NR_mknodat, MADE, 0, 1, -1, 0, 0}, {__NR_symlinkat, MADE, 1, 2, -1, 0, 0}, {__NR_linkat, MADE, 2, 3, -1, 0, 0},
  {__NR_unlinkat, REMOVED, 0, 1, -1, 0, 0}, {__NR_renameat2, RENAMED, 0, 1, 4, 2, 3},
};
enum { TRACED = sizeof traced / sizeof *traced, WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | __O_TMPFILE };

static struct sock_filter filter[8 * TRACED + 32];
static unsigned short filter_length;
static void add(uint16_t code, uint8_t yes, uint8_t no, uint32_t k) { filter[filter_length++] = (struct sock_filter){code, yes, no, k}; }
static void load(uint32_t at) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, at); }
static void answer(uint32_t with) { add(BPF_RET | BPF_K, 0, 0, with); }
static void if_equal(uint32_t k, uint32_t with) { add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, k); answer(with); }

static void make_filter(void) {
  const uint32_t nr = offsetof(struct seccomp_data, nr), arg = offsetof(struct seccomp_data, args);
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, 6, 0, ARCH);
  // Programs of 32 bits are not read; their first open or brk, which have the same numbers on i386 and ARM, tells that there is one.
  load(nr);
  if_equal(5, SECCOMP_RET_USER_NOTIF);
  if_equal(45, SECCOMP_RET_USER_NOTIF);
  answer(SECCOMP_RET_ALLOW);
  load(nr);
  // The numbers of x32, a second way to call an x86-64 kernel, begin here.
  add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
  answer(SECCOMP_RET_USER_NOTIF);
  // What is written through a ring makes no system call; programs that know rings do without where there are none.
  if_equal(__NR_io_uring_setup, SECCOMP_RET_ERRNO | ENOSYS);
  for (int i = 0; i < TRACED; i++) {
    if (traced[i].kind != OPEN || traced[i].flags < 0 || traced[i].nr == __NR_openat2) {
      if_equal((uint32_t)traced[i].nr, SECCOMP_RET_USER_NOTIF);
      continue;
    }
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)traced[i].nr);
    load(arg + 8 * (uint32_t)traced[i].flags);
    add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, WRITES);
    answer(SECCOMP_RET_USER_NOTIF);
    answer(SECCOMP_RET_ALLOW);
  }
  answer(SECCOMP_RET_ALLOW);
}

// ---- The report ----

static int report = -1, listener = -1;
static int is_over; // Nothing more is recorded: the report says why.
static const char *root;
static size_t root_length;
static __u64 report_bytes, marked;
static __u64 seen[1 << 16]; // Hashes of records that are in the report already.
static struct { __u64 at; char name[PATH]; } recent[RECENT]; // What was touched last.
static unsigned recent_count;

static void give_up(const char *why) {
  char text[256], *end = put(text, "incomplete: ");
  if (is_over) return;
  is_over = 1;
  end = put(put(end, why), "\n");
  CALL(ftruncate, report, 0, 0, 0, 0);
  CALL(write, report, text, end - text, 0, 0);
}

static void append(const char *bytes, size_t n) {
  if (is_over) return;
  report_bytes += n;
  if (report_bytes > MOST_REPORT) give_up("too many names");
  else if (CALL(write, report, bytes, n, 0, 0) != (long)n) give_up("the report can't be written");
}

static __u64 now_ms(void) {
  struct __kernel_timespec time = {0, 0};
  CALL(clock_gettime, 0, &time, 0, 0, 0);
  return (__u64)time.tv_sec * 1000 + (__u64)time.tv_nsec / 1000000;
}

static void mark(__u64 every_ms) {
  char text[32], *end = text;
  const __u64 now = now_ms();
  if (now - marked < every_ms) return;
  marked = now;
  *end++ = '@';
  append(text, (size_t)(put_number(end, now) + 1 - text));
}

static int is_inside(const char *path) { return begins(path, root) && (path[root_length] == '/' || path[root_length] == 0); }
static const char *name_in(const char *path) { return path[root_length] == 0 ? "" : path + root_length + 1; }

static void record(char letter, const char *name) {
  static char text[3 * PATH];
  __u64 hash = 14695981039346656037u;
  text[0] = letter;
  const size_t n = (size_t)(put(text + 1, name) + 1 - text);
  for (size_t i = 0; i < n; i++) hash = (hash ^ (uint8_t)text[i]) * 1099511628211u;
  __u64 *slot = &seen[hash >> 48];
  if (*slot == hash) return;
  *slot = hash;
  append(text, n);
}

static void record_rename(const char *from, const char *to) {
  static char text[6 * PATH];
  text[0] = 'r';
  mark(1);
  append(text, (size_t)(put(put(text + 1, from) + 1, to) + 1 - text));
}

// ---- What a call names ----

// A place in the file tree of a process: its path without links above it, and what is there.
struct place { char path[3 * PATH], target[PATH]; size_t folder; int is_link, links; __u64 inode; };
enum found { FOUND, NOTHING, UNKNOWN };

static enum found read_memory(int pid, __u64 address, char *to, __u64 size, long *n) {
  __u64 rest = PATH - address % PATH;
  if (rest > size) rest = size;
  struct iovec into = {to, size}, from[2] = {{(void *)address, rest}, {(void *)(address + rest), size - rest}};
  *n = call(__NR_process_vm_readv, pid, (long)&into, 1, (long)from, rest < size ? 2 : 1, 0);
  // The process has ended, or has no memory there: its call fails by itself.
  return *n > 0 ? FOUND : *n == -EFAULT || *n == -ESRCH ? NOTHING : UNKNOWN;
}

static enum found read_name(int pid, __u64 address, char *name) {
  long n;
  const enum found found = read_memory(pid, address, name, PATH, &n);
  for (long i = 0; i < n; i++) if (name[i] == 0) return FOUND;
  // A name without an end is too long for the kernel, too.
  return found == FOUND ? NOTHING : found;
}

static enum found read_link(const char *link, char *path) {
  const long n = CALL(readlinkat, AT_FDCWD, link, path, PATH - 1, 0);
  if (n >= 0) path[n] = 0;
  if (n >= 0 && n < PATH - 1) return FOUND;
  return n == -ENOENT || n == -ESRCH ? NOTHING : UNKNOWN;
}

static char *of_process(char *to, int pid, const char *what) { return put(put_number(put(to, "/proc/"), (__u64)pid), what); }

static enum found path_of_fd(int pid, int fd, char *path) {
  char link[64];
  if (fd == AT_FDCWD) of_process(link, pid, "/cwd");
  else if (fd < 0) return NOTHING;
  else put_number(of_process(link, pid, "/fd/"), (__u64)fd);
  return read_link(link, path);
}

// Names of open files lead through links that only the kernel can follow: replaces the beginning of such a path by what is open there.
// `is_whole` says that nothing else was in the path.
static enum found replace_open_file(int pid, char *path, int *is_whole) {
  static const struct { const char *name; int fd; } open_files[] = {
    {"/dev/stdin", 0}, {"/dev/stdout", 1}, {"/dev/stderr", 2}, {"/proc/self/cwd", AT_FDCWD},
    {"/dev/fd/", -1}, {"/proc/self/fd/", -1}, {"/proc/thread-self/fd/", -1},
  };
  static char rest[3 * PATH];
  *is_whole = 0;
  for (size_t i = 0; i < sizeof open_files / sizeof *open_files; i++) {
    const char *at = path + length(open_files[i].name);
    int fd = open_files[i].fd;
    if (!begins(path, open_files[i].name)) continue;
    if (fd == -1) for (fd = 0; *at >= '0' && *at <= '9' && fd < 1 << 24; at++) fd = 10 * fd + *at - '0';
    if (*at != 0 && *at != '/') continue;
    *is_whole = *at == 0;
    put(rest, at);
    const enum found found = path_of_fd(pid, fd, path);
    put(path + length(path), found == FOUND ? rest : "");
    return found;
  }
  return FOUND;
}

// Replaces `place->path`, which is absolute, by the path of the same thing without links in its folders, and looks at what is there.
static enum found look(long root_fd, struct place *place) {
  static char folder[3 * PATH], name[PATH];
  const struct open_how how = {O_PATH | O_DIRECTORY | O_CLOEXEC, 0, RESOLVE_IN_ROOT};
  struct statx stat;
  char link[48];
  size_t end = length(place->path), at;
  while (end > 1 && place->path[end - 1] == '/') end--;
  place->path[end] = 0;
  for (at = end; at > 0 && place->path[at - 1] != '/'; at--);
  if (end - at > 255) return NOTHING;
  put(folder, place->path);
  put(name, folder + at);
  if (same(name, ".") || same(name, "..")) name[0] = 0;
  else folder[at] = 0;
  place->is_link = place->links = 0;
  long fd = -EAGAIN;
  // The kernel asks to try again when something was renamed meanwhile.
  for (int i = 0; i < 100 && fd == -EAGAIN; i++) fd = CALL(openat2, root_fd, folder, &how, sizeof how, 0);
  // The folder may be made before the call goes on, so the path is recorded as it was written.
  if (fd == -ENOENT || fd == -ENOTDIR) return FOUND;
  // The kernel refuses these to the process, too, unless the path is long only because that of its working directory was put before it.
  if (fd == -EACCES || (fd == -ENAMETOOLONG && end < PATH)) return NOTHING;
  if (fd < 0) return UNKNOWN;
  put_number(put(link, "/proc/self/fd/"), (__u64)fd);
  const enum found found = read_link(link, place->path);
  if (found == FOUND) {
    place->folder = same(place->path, "/") ? 0 : length(place->path);
    if (name[0]) put(put(place->path + place->folder, "/"), name);
    if (CALL(statx, fd, name, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, STATX_TYPE | STATX_NLINK | STATX_INO, &stat) == 0) {
      place->is_link = (stat.stx_mode & S_IFMT) == S_IFLNK;
      place->links = (stat.stx_mode & S_IFMT) == S_IFREG ? (int)stat.stx_nlink : 0;
      place->inode = stat.stx_ino;
    }
    const long n = place->is_link ? CALL(readlinkat, fd, name, place->target, PATH - 1, 0) : 0;
    place->target[n > 0 ? n : 0] = 0;
  }
  CALL(close, fd, 0, 0, 0, 0);
  return found;
}

enum follow { NO_LINK, LAST_LINK };

// Where the name at `address` leads that a call of `pid` gives, relative to the open folder `fd`.
static enum found find_place(int pid, int fd, __u64 address, enum follow follow, int is_in_folder, struct place *place) {
  static char name[PATH];
  char link[64];
  long root_fd = -1;
  place->is_link = place->links = 0;
  enum found found = read_name(pid, address, name);
  if (found != FOUND) return found;
  // Shells open it all the time.
  if (same(name, "/dev/null")) return NOTHING;
  place->path[0] = 0;
  if (name[0] != '/' || is_in_folder) found = path_of_fd(pid, fd, place->path);
  if (found != FOUND || name[0] == 0) return found;
  put(put(place->path + length(place->path), name[0] == '/' ? "" : "/"), name);
  for (int i = 0; found == FOUND && i < LINKS; i++) {
    int is_whole;
    found = replace_open_file(pid, place->path, &is_whole);
    if (found != FOUND || is_whole) break;
    of_process(link, pid, "/root");
    if (root_fd < 0) root_fd = CALL(openat, AT_FDCWD, link, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0);
    if (root_fd < 0) found = root_fd == -ENOENT || root_fd == -ESRCH ? NOTHING : UNKNOWN;
    else found = look(root_fd, place);
    if (found != FOUND || !place->is_link || follow == NO_LINK) break;
    if (place->target[0] == '/') put(place->path, place->target);
    else put(put(place->path + place->folder, "/"), place->target);
  }
  if (root_fd >= 0) CALL(close, root_fd, 0, 0, 0, 0);
  return found;
}

// ---- One call ----

static void touch(const struct place *place) {
  char inode[24];
  if (!is_inside(place->path)) return;
  record('t', name_in(place->path));
  if (length(name_in(place->path)) < PATH) {
    recent[recent_count % RECENT].at = marked;
    put(recent[recent_count++ % RECENT].name, name_in(place->path));
  }
  put_number(inode, place->inode);
  if (place->links > 1) record('i', inode);
}

static enum found record_open(const struct seccomp_notif *req, const struct traced *one, struct place *place) {
  const __u64 *args = req->data.args;
  struct open_how how = {O_CREAT | O_WRONLY | O_TRUNC, 0, 0};
  long n;
  if (one->nr == __NR_openat2) {
    const enum found found = read_memory((int)req->pid, args[2], (char *)&how, sizeof how, &n);
    if (found != FOUND) return found;
  } else if (one->flags >= 0) how.flags = args[one->flags];
  // A file without a name is recorded when it gets one.
  if (!(how.flags & WRITES) || (how.flags & __O_TMPFILE)) return NOTHING;
  const int is_new = (how.flags & O_CREAT) && (how.flags & O_EXCL);
  const enum follow follow = is_new || (how.flags & O_NOFOLLOW) ? NO_LINK : LAST_LINK;
  return find_place((int)req->pid, one->dir < 0 ? AT_FDCWD : (int)args[0], args[one->name], follow, (how.resolve & RESOLVE_IN_ROOT) != 0, place);
}

static int is_waiting(const struct seccomp_notif *req) { return CALL(ioctl, listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &req->id, 0, 0) == 0; }

static void record_call(const struct seccomp_notif *req) {
  static struct place place, other;
  const __u64 *args = req->data.args;
  const struct traced *one = traced;
  const int pid = (int)req->pid;
  if (req->data.arch != ARCH || req->data.nr >= 0x40000000) { give_up("a program of another architecture ran"); return; }
  while (one < traced + TRACED && one->nr != req->data.nr) one++;
  if (one == traced + TRACED) return;
  const int dir = one->dir < 0 ? AT_FDCWD : (int)args[one->dir];
  enum found found = FOUND;
  switch (one->kind) {
    case OPEN: found = record_open(req, one, &place); break;
    case BY_FD: place.links = 0; found = path_of_fd(pid, (int)args[0], place.path); break;
    case RENAMED:
      found = find_place(pid, one->to_dir < 0 ? AT_FDCWD : (int)args[one->to_dir], args[one->to_name], NO_LINK, 0, &other);
      if (found == FOUND) found = find_place(pid, dir, args[one->name], NO_LINK, 0, &place);
      break;
    default: found = find_place(pid, dir, args[one->name], NO_LINK, 0, &place);
  }
  // The process may have been killed meanwhile, and its number may be another one's by now.
  if (found == NOTHING || !is_waiting(req)) return;
  if (found == UNKNOWN) { give_up("a name can't be read"); return; }
  mark(MARK_MS);
  if (one->kind == REMOVED) { if (is_inside(place.path)) record('d', name_in(place.path)); }
  else if (one->kind != RENAMED) touch(&place);
  else if (is_inside(place.path) && is_inside(other.path)) {
    record_rename(name_in(place.path), name_in(other.path));
    touch(&other);
    if (one->flags >= 0 && (args[one->flags] & EXCHANGE)) record_rename(name_in(other.path), name_in(place.path));
  } else { if (is_inside(place.path)) record('d', name_in(place.path)); touch(&other); }
  if (one->kind == TOUCH && place.is_link && find_place(pid, dir, args[one->name], LAST_LINK, 0, &place) == FOUND) touch(&place);
}

static void serve(void) {
  struct seccomp_notif req;
  memset(&req, 0, sizeof req);
  // Fails when the process was killed meanwhile.
  if (CALL(ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &req, 0, 0) != 0) return;
  if (!is_over) record_call(&req);
  struct seccomp_notif_resp resp = {req.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  CALL(ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &resp, 0, 0);
}

// ---- The two processes ----

static void stop(int code) { for (;;) CALL(exit_group, code, 0, 0, 0, 0); }

static void become(char **argv, char **envp) {
  static const char text[] = "trace-writes: the program can't be started\n";
  CALL(execve, argv[0], argv, envp, 0, 0);
  CALL(write, 2, text, sizeof text - 1, 0, 0);
  stop(127);
}

// In the child. Descriptors are shared with the parent until `execve`, which closes the listener in the child alone.
static void start(long parent, char **argv, char **envp) {
  const struct sock_fprog program = {filter_length, filter};
  const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  CALL(prctl, PR_SET_PDEATHSIG, KILL, 0, 0, 0);
  if (CALL(getppid, 0, 0, 0, 0, 0) != parent) stop(1);
  CALL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Without the second flag a signal would interrupt the call, which then begins again.
  const long fd = CALL(seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program, 0, 0);
  if (fd == -EINVAL) CALL(seccomp, SECCOMP_SET_MODE_FILTER, flags, &program, 0, 0);
  become(argv, envp);
}

static void end_like(int status) {
  const long by_default[4] = {0}, no_core[2] = {0}, signal = status & 0x7f;
  if (signal == 0) stop(status >> 8 & 0xff);
  CALL(prlimit64, 0, RLIMIT_CORE, no_core, 0, 0);
  CALL(rt_sigaction, signal, by_default, 0, 8, 0);
  CALL(kill, CALL(getpid, 0, 0, 0, 0, 0), signal, 0, 0, 0);
  stop(128 + (int)signal);
}

// Keeps nothing open that belongs to the program: whoever reads its output must see that it has ended.
static void let_go(long child_fd, long signal_fd) {
  const long own[4] = {report, listener, child_fd, signal_fd};
  for (int i = 0; i < 4; i++) {
    if (own[i] < 0) CALL(close, i, 0, 0, 0, 0);
    else if (own[i] != i) CALL(dup3, own[i], i, O_CLOEXEC, 0, 0);
  }
  report = 0;
  listener = 1;
  CALL(close_range, 4, ~0U, 0, 0, 0);
  CALL(chdir, "/", 0, 0, 0, 0);
}

// The program ends with whoever started it. No call goes on after this, and the report tells what was being written.
static void end_program(long pid) {
  char text[32];
  const __u64 now = now_ms();
  text[0] = 'x';
  append(text, (size_t)(put_number(text + 1, now) + 1 - text));
  for (int i = 0; i < RECENT; i++) if (recent[i].at + RECENT_MS >= now) record('l', recent[i].name);
  CALL(kill, pid, KILL, 0, 0, 0);
}

static void follow_program(long pid, long starter) {
  // SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGPIPE, SIGALRM, SIGTERM; and SIGXCPU, SIGXFSZ, which come from limits that were meant for the program.
  static const __u8 ignored[] = {1, 2, 3, 10, 13, 14, 15, 24, 25};
  const long ignore[4] = {1, 0, 0, 0}, awaited = 1L << (STARTER_ENDED - 1);
  const int is_traced = listener >= 0;
  int status = 0;
  long limit[2];
  char info[128];
  // A signal to the whole group reaches the program by itself; its end decides. SIGKILL ends this process, and the program with it.
  for (size_t i = 0; i < sizeof ignored; i++) CALL(rt_sigaction, ignored[i], ignore, 0, 8, 0);
  CALL(rt_sigprocmask, 0, &awaited, 0, 8, 0);
  CALL(prctl, PR_SET_PDEATHSIG, STARTER_ENDED, 0, 0, 0);
  if (CALL(getppid, 0, 0, 0, 0, 0) != starter) CALL(kill, pid, KILL, 0, 0, 0);
  // The program may have been started with few descriptors on purpose; this process needs some more.
  if (CALL(prlimit64, 0, RLIMIT_NOFILE, 0, limit, 0) == 0) { limit[0] = limit[1]; CALL(prlimit64, 0, RLIMIT_NOFILE, limit, 0, 0); }
  const long child_fd = CALL(pidfd_open, pid, 0, 0, 0, 0);
  let_go(child_fd, CALL(signalfd4, -1, &awaited, 8, O_CLOEXEC, 0));
  if (!is_traced) give_up("the system does not let calls be traced");
  else CALL(ioctl, listener, SET_FLAGS, SYNC_WAKE_UP, 0, 0);
  struct pollfd polled[3] = {{is_traced ? 1 : -1, POLLIN, 0}, {2, POLLIN, 0}, {3, POLLIN, 0}};
  while (child_fd >= 0) {
    if (CALL(ppoll, polled, 3, 0, 0, 8) < 0) continue;
    if (polled[2].revents) {
      // Anybody may send this signal; it counts when the parent is another one by now.
      CALL(read, 3, info, sizeof info, 0, 0);
      if (starter != 0 && CALL(getppid, 0, 0, 0, 0, 0) == starter) continue;
      end_program(pid);
      polled[0].fd = polled[2].fd = -1;
    }
    else if (polled[0].revents & POLLIN) serve();
    // What the program left running is ended with its sandbox; until then its calls fail.
    else if (polled[1].revents) break;
    else if (polled[0].revents) polled[0].fd = -1;
  }
  while (CALL(wait4, pid, &status, 0, 0, 0) == -EINTR);
  end_like(status);
}

static int can_trace(void) {
  const struct open_how how = {O_PATH | O_CLOEXEC, 0, RESOLVE_IN_ROOT};
  struct seccomp_notif_sizes sizes;
  if (CALL(seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes, 0, 0) != 0) return 0;
  if (sizes.seccomp_notif != sizeof(struct seccomp_notif) || sizes.seccomp_notif_resp != sizeof(struct seccomp_notif_resp)) return 0;
  // Linux 5.6, which has all the rest, too.
  const long fd = CALL(openat2, AT_FDCWD, "/", &how, sizeof how, 0);
  if (fd >= 0) CALL(close, fd, 0, 0, 0, 0);
  return fd >= 0;
}

__attribute__((used)) void begin(long *stack) {
  static const char head[] = "trace-writes 1";
  char **argv = (char **)(stack + 1), **envp = argv + stack[0] + 1;
  const long self = CALL(getpid, 0, 0, 0, 0, 0), starter = CALL(getppid, 0, 0, 0, 0, 0);
  if (stack[0] < 5 || !same(argv[3], "--")) stop(125);
  CALL(prctl, PR_SET_NAME, "trace-writes", 0, 0, 0);
  CALL(prctl, PR_SET_PDEATHSIG, KILL, 0, 0, 0);
  root = argv[2];
  root_length = length(root);
  report = (int)CALL(openat, AT_FDCWD, argv[1], O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600, 0);
  if (report < 0) become(argv + 4, envp);
  if (!can_trace()) { give_up("the kernel can't trace calls"); become(argv + 4, envp); }
  append(head, sizeof head);
  make_filter();
  // The lowest free descriptor, which the child's listener will have.
  listener = (int)CALL(dup, report, 0, 0, 0, 0);
  CALL(close, listener, 0, 0, 0, 0);
  const long pid = CALL(clone, SHARE_FILES | WAIT_FOR_EXEC | CHILD_ENDED, 0, 0, 0, 0);
  if (pid < 0) { give_up("no free processes"); become(argv + 4, envp); }
  if (pid == 0) start(self, argv + 4, envp);
  if (CALL(fcntl, listener, F_GETFD, 0, 0, 0) < 0) listener = -1;
  follow_program(pid, starter);
}
