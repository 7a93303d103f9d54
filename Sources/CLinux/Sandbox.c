#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int km_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL); }

// MARK: Landlock

int km_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0UL, LANDLOCK_CREATE_RULESET_VERSION);
}

int km_landlock_create(uint64_t files, uint64_t network, uint64_t scopes) {
  // An older kernel takes the longer structure where the fields that it does not know are 0.
  struct {
    uint64_t files, network, scopes;
  } handled = {files, network, scopes};
  return (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0U);
}

int km_landlock_allow(int ruleset, const char *path, uint64_t access) {
  const uint64_t of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                            LANDLOCK_ACCESS_FS_WRITE_FILE | km_landlock_truncate;
  struct landlock_path_beneath_attr rule = {.allowed_access = access};
  struct stat status;
  rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return -1;
  int result = fstat(rule.parent_fd, &status);
  if (result == 0) {
    if (!S_ISDIR(status.st_mode)) rule.allowed_access &= of_files;
    result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
  }
  int code = errno;
  close(rule.parent_fd);
  errno = code;
  return result;
}

int km_landlock_restrict(int ruleset) {
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0U);
}

// MARK: System calls

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// What no job needs and an intruder would: the rest of the machine, other processes, other programs.
static const unsigned int denied_calls[] = {
    // Being a server.
    SYS_listen, SYS_accept, SYS_accept4,
    // Other programs.
    SYS_execve, SYS_execveat,
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_kcmp,
    SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_migrate_pages, SYS_move_pages,
    // Out of the process group that the supervisor ends.
    SYS_setsid, SYS_setpgid,
    // Other users.
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
    SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capset,
    // The file system as a whole, and ways around its paths.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount, SYS_fsopen,
    SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_unshare, SYS_setns,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_quotactl, SYS_fanotify_init,
    SYS_swapon, SYS_swapoff, SYS_acct,
    // The kernel's less trodden parts.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
    SYS_io_uring_register, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_syslog, SYS_personality,
    SYS_vhangup, SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime,
    SYS_adjtimex, SYS_clock_adjtime, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semctl,
    SYS_msgget, SYS_msgctl, SYS_mq_open,
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/// The network. No pipe or file needs a socket. Resolvers bind theirs to the kernel's list of routes.
static const unsigned int network_calls[] = {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind};

#define NETWORK_COUNT (sizeof network_calls / sizeof *network_calls)
#define DENIED_COUNT (sizeof denied_calls / sizeof *denied_calls)
#define ANSWER(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/// Goes over the next `distance` instructions unless the loaded word is `value`.
#define UNLESS(value, distance) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (distance))
/// Of a system call with this number, the first argument must be `value`.
#define ONLY_WITH(call, value)                                                                     \
  UNLESS(call, 4), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1),              \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), ANSWER(EPERM)

/// Sockets for the internet, and to ask for routes; other programs' sockets are not for a downloader.
static const struct sock_filter internet_sockets[] = {
    UNLESS(SYS_socket, 6),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
    ANSWER(EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/// Adds instructions that refuse `calls`; `more` others are refused after them.
static size_t refuse(struct sock_filter *filter, const unsigned int *calls, size_t count, size_t more) {
  for (size_t index = 0; index < count; index++) {
    unsigned char to_refusal = (unsigned char)(count - index + more);
    filter[index] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[index], to_refusal, 0);
  }
  return count;
}

int km_filter_calls(int network) {
#ifndef ARCHITECTURE
  errno = ENOSYS;
  return -1;
#else
  // Namespaces, and children that the supervisor would take for its own.
  const unsigned int unwanted = CLONE_PARENT | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                  CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  const unsigned int self = (unsigned int)getpid();
  const struct sock_filter special[] = {
      // Numbers mean other calls to another architecture.
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      // So does the x32 bit.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
      // Signals and limits for ourselves alone.
      ONLY_WITH(SYS_kill, self),
      ONLY_WITH(SYS_tgkill, self),
      ONLY_WITH(SYS_prlimit64, 0),
      // Threads and forks of the usual kind. The C library knows what to do without clone3, whose flags
      // no filter can see.
      UNLESS(SYS_clone3, 1),
      ANSWER(ENOSYS),
      UNLESS(SYS_clone, 4),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, unwanted, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      ANSWER(EPERM),
      // A job does not outlive its supervisor.
      UNLESS(SYS_prctl, 4),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      ANSWER(EPERM),
  };
  enum {
    special_count = sizeof special / sizeof *special,
    socket_count = sizeof internet_sockets / sizeof *internet_sockets,
  };
  _Static_assert(NETWORK_COUNT + DENIED_COUNT < 255, "a jump goes over at most 255 instructions");
  struct sock_filter filter[special_count + socket_count + NETWORK_COUNT + DENIED_COUNT + 2];
  memcpy(filter, special, sizeof special);
  size_t count = special_count;
  if (network) {
    memcpy(filter + count, internet_sockets, sizeof internet_sockets);
    count += socket_count;
  } else {
    count += refuse(filter + count, network_calls, NETWORK_COUNT, DENIED_COUNT);
  }
  count += refuse(filter + count, denied_calls, DENIED_COUNT, 0);
  filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[count++] = (struct sock_filter)ANSWER(EPERM);
  struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
  long result =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  // Above 0: the thread that stayed without a filter.
  if (result > 0) errno = ESRCH;
  return result == 0 ? 0 : -1;
#endif
}

int km_can_filter_calls(void) {
#ifndef ARCHITECTURE
  return 0;
#else
  unsigned int action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0U, &action) == 0;
#endif
}
