#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

static int has_text_relocations(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return 1;
      if (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL) return 1;
    }
  }
  return 0;
}

/// Gives back the pages of an object that are as they are in its file.
static int give_back(struct dl_phdr_info *info, size_t size, void *nothing) {
  (void)size, (void)nothing;
  if (has_text_relocations(info)) return 0;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    const uintptr_t start = (info->dlpi_addr + segment->p_vaddr) & ~(page - 1);
    const uintptr_t end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    // Where it fails, the pages stay.
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void km_give_back_loaded_pages(void) { dl_iterate_phdr(give_back, NULL); }
