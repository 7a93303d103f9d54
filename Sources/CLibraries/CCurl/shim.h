#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

// curl_easy_setopt is variadic, which Swift cannot import: one function for each type of value.
static inline CURLcode km_curl_set_long(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}

// libcurl keeps a copy of the text.
static inline CURLcode km_curl_set_text(CURL *curl, CURLoption option, const char *value) {
  return curl_easy_setopt(curl, option, value);
}

// libcurl keeps the pointer.
static inline CURLcode km_curl_set_pointer(CURL *curl, CURLoption option, void *value) {
  return curl_easy_setopt(curl, option, value);
}

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode km_curl_set_receiver(CURL *curl, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode km_curl_set_opener(CURL *curl, curl_opensocket_callback value) {
  return curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, value);
}

// Copies an address in network order: 4 or 16 bytes, and says how many; 0 for other families. The
// address of a curl_sockaddr goes on behind the field it is declared as.
static inline int km_curl_address(const struct curl_sockaddr *address, unsigned char *bytes) {
  if (address->family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

// What became of a transfer: 1 when a message was there, which is its result.
static inline int km_curl_result(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  if (!message || message->msg != CURLMSG_DONE) return 0;
  *result = message->data.result;
  return 1;
}
