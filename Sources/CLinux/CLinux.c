#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *km_error_text(int code) { return strerrordesc_np(code); }

const char *km_signal_name(int signal) { return sigabbrev_np(signal); }

char **km_environment(void) { return environ; }

int km_set_parent_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0UL, 0UL, 0UL);
}

int km_name_thread(const char *name) {
  return prctl(PR_SET_NAME, (unsigned long)name, 0UL, 0UL, 0UL);
}

int km_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0U); }

int km_has_ended(pid_t pid, int options) {
  siginfo_t info = {.si_pid = 0};
  if (waitid(P_PID, (id_t)pid, &info, options | WEXITED | WNOWAIT) != 0) return -1;
  return info.si_pid != 0;
}

int km_spawn_close_from(posix_spawn_file_actions_t *actions, int lowest) {
  return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

int km_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

int km_usable_processors(void) {
  // A fixed cpu_set_t holds 1024; the kernel answers EINVAL when it has more than the set can show.
  for (int capacity = CPU_SETSIZE; capacity <= 1 << 20; capacity *= 2) {
    cpu_set_t *set = CPU_ALLOC(capacity);
    if (!set) return -1;
    size_t size = CPU_ALLOC_SIZE(capacity);
    int result = sched_getaffinity(0, size, set);
    int count = result == 0 ? CPU_COUNT_S(size, set) : -1;
    int code = errno;
    CPU_FREE(set);
    errno = code;
    if (result == 0 || code != EINVAL) return count;
  }
  return -1;
}

const uint32_t km_readable = EPOLLIN;
const uint32_t km_writable = EPOLLOUT;
const uint32_t km_hangup = EPOLLHUP;
const uint32_t km_failed = EPOLLERR;

int km_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, operation, fd, &event);
}

int km_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int km_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int km_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int km_epoll_wait(int epoll, struct km_event *events, int capacity, int timeout_ms) {
  struct epoll_event ready[64];
  int count = epoll_wait(epoll, ready, capacity < 64 ? capacity : 64, timeout_ms);
  for (int i = 0; i < count; i++) {
    events[i].token = ready[i].data.u64;
    events[i].events = ready[i].events;
  }
  return count;
}

int km_timer_create(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int km_timer_set(int timer, int64_t nanoseconds) {
  struct itimerspec when = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

int km_signal_descriptor(const sigset_t *signals) {
  return signalfd(-1, signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

int km_signal_read(int fd, pid_t *sender) {
  struct signalfd_siginfo info;
  ssize_t count = read(fd, &info, sizeof info);
  if (count < 0) return -1;
  *sender = (pid_t)info.ssi_pid;
  return (int)info.ssi_signo;
}

int km_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int km_rename_exchange(const char *a, const char *b) {
  return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
}

int km_set_lease(int fd, int kind) { return fcntl(fd, F_SETLEASE, kind); }

int km_set_lease_signal(int fd, int signal) { return fcntl(fd, F_SETSIG, signal); }

int km_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int km_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int km_clone_file(int from, int to) { return ioctl(to, FICLONE, from); }

ssize_t km_copy_range(int from, int to, size_t count) {
  return copy_file_range(from, NULL, to, NULL, count, 0);
}

int km_start_storing(int fd) { return sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

int km_sync_filesystem(int descriptor) { return syncfs(descriptor); }

int km_filesystem_of(const char *path, struct km_filesystem *out) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  out->kind = (int64_t)status.f_type;
  out->available_bytes = (uint64_t)status.f_bavail * (uint64_t)status.f_bsize;
  out->total_bytes = (uint64_t)status.f_blocks * (uint64_t)status.f_bsize;
  return 0;
}
