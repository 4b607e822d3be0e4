/* A disk that a test can make slow, freeze, fill up or break, and whose every write it can look at afterwards.

   Loaded into a process with LD_PRELOAD (tests/rui_api/disk.py). Environment:
   DISK_FILES    only files whose path contains this are concerned
   DISK_CONTROL  a file whose first letter says what happens now: f frozen, n no space, r read-only, e I/O error
   DISK_DELAY    microseconds that every sync takes
   DISK_LOG      a file that every write, truncation, deletion and sync is appended to:
                 letter, length of path, offset, length of data (int64 each), path, data */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *files, *control, *delay;
static int log_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A copy: PostgreSQL shows what it does in the place where its environment was. */
static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

__attribute__((constructor)) static void start(void) {
    files = setting("DISK_FILES");
    control = setting("DISK_CONTROL");
    delay = setting("DISK_DELAY");
    const char *path = getenv("DISK_LOG");
    if (path) log_fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static char mode(void) {
    char letter = 0;
    int fd = control ? syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    if (syscall(SYS_read, fd, &letter, 1) != 1) letter = 0;
    syscall(SYS_close, fd);
    return letter;
}

static int concerned(int fd, char *path) {
    char link[64];
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

static void record(char letter, const char *path, int64_t offset, const void *data, int64_t length) {
    if (log_fd < 0) return;
    int64_t head[4] = {letter, (int64_t)strlen(path), offset, length};
    struct iovec parts[3] = {{head, sizeof head}, {(void *)path, strlen(path)}, {(void *)data, data ? length : 0}};
    pthread_mutex_lock(&lock);
    syscall(SYS_writev, log_fd, parts, 3);
    pthread_mutex_unlock(&lock);
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

static int refused(int fd, char *path, int writes) {
    int error = 0;
    *path = 0;
    if ((control || log_fd >= 0) && concerned(fd, path)) error = fault(writes);
    else *path = 0;
    if (error) errno = error;
    return error;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    char path[4096];
    if (refused(fd, path, 1)) return -1;
    ssize_t done = syscall(SYS_pwrite64, fd, data, length, offset);
    if (done > 0 && *path) record('W', path, offset, data, done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
    char path[4096];
    if (refused(fd, path, 1)) return -1;
    ssize_t done = syscall(SYS_write, fd, data, length);
    if (done > 0 && *path) record('W', path, lseek(fd, 0, SEEK_CUR) - done, data, done);
    return done;
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    char path[4096];
    if (refused(fd, path, 1)) return -1;
    return syscall(SYS_pwritev, fd, parts, count, offset, 0);
}

int posix_fallocate(int fd, off_t offset, off_t length) {
    char path[4096];
    if (refused(fd, path, 1)) return errno;
    return syscall(SYS_fallocate, fd, 0, offset, length) ? errno : 0;
}

ssize_t pread64(int fd, void *data, size_t length, off64_t offset) {
    char path[4096];
    if (control && concerned(fd, path) && (errno = fault(0))) return -1;
    return syscall(SYS_pread64, fd, data, length, offset);
}

ssize_t pread(int fd, void *data, size_t length, off_t offset) { return pread64(fd, data, length, offset); }

int ftruncate64(int fd, off64_t length) {
    char path[4096];
    if (refused(fd, path, 1)) return -1;
    int done = syscall(SYS_ftruncate, fd, length);
    if (!done && *path) record('T', path, length, NULL, 0);
    return done;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd, long call) {
    char path[4096];
    if (refused(fd, path, 0)) return -1;
    if (delay) usleep(atoi(delay));
    int done = syscall(call, fd);
    if (!done && *path) record('S', path, 0, NULL, 0);
    return done;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

int unlink(const char *path) {
    int done = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (!done && files && strstr(path, files)) record('U', path, 0, NULL, 0);
    return done;
}
