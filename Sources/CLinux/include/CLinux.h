#pragma once

// System calls and constants that Swift's Glibc module does not show: they are GNU extensions,
// variadic, macros, or packed structures. Each function is one call; as in C, -1 means that errno
// says why. Platform is the only module that imports this one.

#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// The words for an errno value, static and never freed; NULL for an unknown one.
const char *_Nullable km_error_text(int code);

/// A signal's name without `SIG`, static; NULL for an unknown one.
const char *_Nullable km_signal_name(int signal);

/// The environment of this process.
char *_Nullable *_Nullable km_environment(void);

// MARK: Processes

/// Asks the kernel to send `signal` to this process when the thread that started it ends.
int km_set_parent_death_signal(int signal);
/// Names the calling thread, and by the first one the process; 15 bytes of it count.
int km_name_thread(const char *_Nonnull name);
/// A descriptor that becomes readable when the process ends, closed on exec.
int km_pidfd_open(pid_t pid);
/// 1 when the child has ended, 0 when not yet (with WNOHANG in `options`); leaves it to be reaped.
int km_has_ended(pid_t pid, int options);
int km_spawn_close_from(posix_spawn_file_actions_t *_Nonnull actions, int lowest);
int km_spawn_change_directory(posix_spawn_file_actions_t *_Nonnull actions,
                              const char *_Nonnull path);
/// How many processors this process may run on.
int km_usable_processors(void);

/// Takes the pages of the program and its libraries that nothing was written to out of this process; what
/// is needed of them comes back from the page cache when it is touched.
void km_give_back_loaded_pages(void);

// MARK: Forking

/// Forks into a brother: a child not of this process but of its parent, which waits for it.
///
/// The new process has this thread only, and what the C library runs at a fork does not run. 0 in
/// the new process.
pid_t km_fork_sibling(void);
/// Closes all descriptors from a number on.
int km_close_from(unsigned int lowest);

/// As many descriptors may go along with a packet.
enum { km_packet_descriptors = 4 };

/// Fills two connected sockets of type SOCK_SEQPACKET, closed on exec.
int km_packet_pair(int *_Nonnull ends);
/// Sends a packet with copies of descriptors; never raises SIGPIPE.
ssize_t km_send_packet(int socket, const void *_Nullable bytes, size_t count,
                       const int *_Nullable descriptors, size_t descriptor_count);
/// Receives a packet and its descriptors, closed on exec; 0 when the other end is closed.
/// `descriptors` has room for `km_packet_descriptors`.
ssize_t km_receive_packet(int socket, void *_Nullable bytes, size_t capacity,
                          int *_Nonnull descriptors, size_t *_Nonnull descriptor_count);

// MARK: Sandbox

/// Gives up for good that exec could raise this process's privileges.
int km_no_new_privileges(void);
/// Which version of Landlock the kernel has.
int km_landlock_version(void);
/// A set of rules for the given accesses to files and network, and the given scopes; see landlock(7).
int km_landlock_create(uint64_t files, uint64_t network, uint64_t scopes);
/// Allows accesses to a file, or to a directory and all beneath; those that a file cannot have are
/// left out for one.
int km_landlock_allow(int ruleset, const char *_Nonnull path, uint64_t access);
/// Binds the calling thread, and those it starts, to the rules.
int km_landlock_restrict(int ruleset);
/// LANDLOCK_ACCESS_FS_TRUNCATE, which Debian 12's header has not got yet.
enum { km_landlock_truncate = 1 << 14 };
/// Refuses the system calls that reach beyond this process; see the table in Sandbox.c. With `network`,
/// connections to the internet are let through.
int km_filter_calls(int network);
/// Whether `km_filter_calls` works here.
int km_can_filter_calls(void);

// MARK: Events

struct km_event {
  uint64_t token;
  uint32_t events;
};

extern const uint32_t km_readable;  // EPOLLIN
extern const uint32_t km_writable;  // EPOLLOUT
extern const uint32_t km_hangup;    // EPOLLHUP
extern const uint32_t km_failed;    // EPOLLERR

int km_epoll_create(void);
int km_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int km_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int km_epoll_remove(int epoll, int fd);
/// Fills at most 64 events; waits for ever when `timeout_ms` is negative.
int km_epoll_wait(int epoll, struct km_event *_Nonnull events, int capacity, int timeout_ms);

/// A timer on CLOCK_BOOTTIME, non-blocking and closed on exec.
int km_timer_create(void);
/// Sets the timer to an absolute time in nanoseconds since boot; 0 disarms it.
int km_timer_set(int timer, int64_t nanoseconds);

/// A descriptor that reads the (already blocked) signals of the set, non-blocking, closed on exec.
int km_signal_descriptor(const sigset_t *_Nonnull signals);
/// The next pending signal's number, and who sent it.
int km_signal_read(int fd, pid_t *_Nonnull sender);

// MARK: Files

/// Renames without replacing: EEXIST when `to` is there.
int km_rename_new(const char *_Nonnull from, const char *_Nonnull to);
/// Swaps two names in one step.
int km_rename_exchange(const char *_Nonnull a, const char *_Nonnull b);
/// Takes (F_RDLCK) or gives back (F_UNLCK) a lease on an open file.
int km_set_lease(int fd, int kind);
/// Which signal is sent when somebody's open breaks the lease, in place of SIGIO.
int km_set_lease_signal(int fd, int signal);
/// Fills two descriptors, closed on exec: the end to read and the end to write.
int km_pipe(int *_Nonnull ends);
/// Opens an empty file that is only in memory, closed on exec.
int km_memory_file(const char *_Nonnull name);
/// Makes `to` share the blocks of `from` (a reflink), where the file system can.
int km_clone_file(int from, int to);
ssize_t km_copy_range(int from, int to, size_t count);
/// Begins to write a file's pending bytes to the disk, and does not wait.
int km_start_storing(int fd);
/// Writes all that is pending on the descriptor's file system to the disk.
int km_sync_filesystem(int descriptor);

struct km_filesystem {
  int64_t kind;             // the magic number of statfs(2)
  uint64_t available_bytes; // to an unprivileged user
  uint64_t total_bytes;
};

int km_filesystem_of(const char *_Nonnull path, struct km_filesystem *_Nonnull out);
