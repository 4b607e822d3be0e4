/* A disk that a test can make slow, freeze, fill up or break.

   Loaded into a process with LD_PRELOAD (tests/rui_api/disk.py). Environment:
   DISK_FILES    only files whose path contains this are concerned
   DISK_CONTROL  a file whose first letter says what happens now: f frozen, n no space, r read-only, e I/O error
   DISK_DELAY    microseconds that every sync takes */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *files, *control, *delay;

/* A copy: PostgreSQL shows what it does in the place where its environment was. */
static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

__attribute__((constructor)) static void start(void) {
    files = setting("DISK_FILES");
    control = setting("DISK_CONTROL");
    delay = setting("DISK_DELAY");
}

static char mode(void) {
    char letter = 0;
    int fd = control ? syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    if (syscall(SYS_read, fd, &letter, 1) != 1) letter = 0;
    syscall(SYS_close, fd);
    return letter;
}

static int concerned(int fd) {
    char link[64], path[4096];
    if (!files) return 0;
    strcpy(link, "/proc/self/fd/");
    char digits[16];
    int count = 0, at = strlen(link);
    for (int rest = fd; rest || !count; rest /= 10) digits[count++] = '0' + rest % 10;
    while (count) link[at++] = digits[--count];
    link[at] = 0;
    ssize_t length = readlink(link, path, 4095);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, files) != NULL;
}

/* 0, or the error that the disk answers with; waits while it is frozen. */
static int fault(int writes) {
    char now;
    while ((now = mode()) == 'f') usleep(5000);
    if (now == 'e') return EIO;
    if (writes && now == 'n') return ENOSPC;
    if (writes && now == 'r') return EROFS;
    return 0;
}

static int refused(int fd, int writes) {
    int error = control && concerned(fd) ? fault(writes) : 0;
    if (error) errno = error;
    return error;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    return refused(fd, 1) ? -1 : syscall(SYS_pwrite64, fd, data, length, offset);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
    return refused(fd, 1) ? -1 : syscall(SYS_write, fd, data, length);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    return refused(fd, 1) ? -1 : syscall(SYS_pwritev, fd, parts, count, offset, 0);
}

int posix_fallocate(int fd, off_t offset, off_t length) {
    if (refused(fd, 1)) return errno;
    return syscall(SYS_fallocate, fd, 0, offset, length) ? errno : 0;
}

ssize_t pread64(int fd, void *data, size_t length, off64_t offset) {
    return refused(fd, 0) ? -1 : syscall(SYS_pread64, fd, data, length, offset);
}

ssize_t pread(int fd, void *data, size_t length, off_t offset) { return pread64(fd, data, length, offset); }

int ftruncate64(int fd, off64_t length) { return refused(fd, 1) ? -1 : syscall(SYS_ftruncate, fd, length); }

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd, long call) {
    if (refused(fd, 0)) return -1;
    if (delay) usleep(atoi(delay));
    return syscall(call, fd);
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
