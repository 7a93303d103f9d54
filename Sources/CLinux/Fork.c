#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

pid_t km_fork_sibling(void) {
  // The child ends with the same signal to its parent as we do: SIGCHLD, for a spawned process.
  struct clone_args arguments = {.flags = CLONE_PARENT};
  return (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
}

int km_close_from(unsigned int lowest) { return close_range(lowest, ~0U, 0); }

int km_packet_pair(int *ends) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

typedef union {
  struct cmsghdr header;
  char space[CMSG_SPACE(km_packet_descriptors * sizeof(int))];
} descriptor_message;

ssize_t km_send_packet(int socket, const void *bytes, size_t count, const int *descriptors,
                       size_t descriptor_count) {
  if (descriptor_count > km_packet_descriptors) {
    errno = EINVAL;
    return -1;
  }
  descriptor_message control = {.space = {0}};
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    size_t size = descriptor_count * sizeof(int);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(&control.header), descriptors, size);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t km_receive_packet(int socket, void *bytes, size_t capacity, int *descriptors,
                          size_t *descriptor_count) {
  descriptor_message control = {.space = {0}};
  struct iovec piece = {.iov_base = bytes, .iov_len = capacity};
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  *descriptor_count = 0;
  ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count < 0) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    size_t size = header->cmsg_len - CMSG_LEN(0);
    memcpy(descriptors, CMSG_DATA(header), size);
    *descriptor_count = size / sizeof(int);
  }
  return count;
}
