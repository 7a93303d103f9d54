#pragma once
#include <libavcodec/avcodec.h>
#include <libavcodec/avfft.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Macros that Swift cannot import.
static const int km_error_eof = AVERROR_EOF;
static const int km_error_again = AVERROR(EAGAIN);
static const int km_error_invalid_data = AVERROR_INVALIDDATA;
static const int km_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int km_error_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int km_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int km_error_muxer_not_found = AVERROR_MUXER_NOT_FOUND;
static const int km_error_filter_not_found = AVERROR_FILTER_NOT_FOUND;
static const int km_error_option_not_found = AVERROR_OPTION_NOT_FOUND;
static const int km_error_stream_not_found = AVERROR_STREAM_NOT_FOUND;
static const int km_error_unsupported = AVERROR_PATCHWELCOME;
// Ours, in the form of FFmpeg's own, and distinct from them.
static const int km_error_empty_file = FFERRTAG('k', 'm', 'E', 'F');
static const int km_error_over_limit = FFERRTAG('k', 'm', 'O', 'L');
static const int km_error_not_regular = FFERRTAG('k', 'm', 'N', 'R');
static const int km_error_library_not_found = FFERRTAG('k', 'm', 'L', 'N');
static const int64_t km_no_pts = AV_NOPTS_VALUE;

// What a decoder may ask memory for, and the size of the frame that asked for more.
typedef struct km_frame_limits {
  int64_t max_pixels;
  int64_t max_bytes;
  int refused_width;
  int refused_height;
} km_frame_limits;

// The get_buffer2 of every decoder: refuses a frame over the limits before it is allocated.
// Frame threads may refuse at the same time; either size tells the user the same.
static int km_get_limited_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  km_frame_limits *limits = context->opaque;
  if (context->codec_type == AVMEDIA_TYPE_VIDEO) {
    int bytes = av_image_get_buffer_size(frame->format, frame->width, frame->height, 1);
    int64_t pixels = (int64_t)frame->width * frame->height;
    if (bytes < 0 || bytes > limits->max_bytes || pixels > limits->max_pixels) {
      __atomic_store_n(&limits->refused_width, frame->width, __ATOMIC_RELAXED);
      __atomic_store_n(&limits->refused_height, frame->height, __ATOMIC_RELAXED);
      return AVERROR(ENOMEM);
    }
  }
  return avcodec_default_get_buffer2(context, frame, flags);
}

static inline void km_limit_frames(AVCodecContext *context, km_frame_limits *limits) {
  context->opaque = limits;
  context->get_buffer2 = km_get_limited_buffer;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  // FFmpeg 5 would otherwise hand each call over to the main thread; later versions never do.
  context->thread_safe_callbacks = 1;
#pragma clang diagnostic pop
}

// A media file is one file: playlists and references to others are refused.
static int km_refuse_open(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                          AVDictionary **options) {
  av_log(context, AV_LOG_ERROR, "Reference to another file refused: %s\n", url);
  return AVERROR(EPERM);
}

static inline void km_refuse_nested_files(AVFormatContext *context) {
  context->io_open = km_refuse_open;
}

// The name of the library part that logs, such as "h264" or "mov,mp4,m4a,3gp,3g2,mj2".
static inline const char *km_log_component(void *object) {
  AVClass *class = object ? *(AVClass **)object : NULL;
  return class && class->item_name ? class->item_name(object) : NULL;
}

// Narrows a frame of sound to some of its samples. The planes are an array inside the frame itself
// or, of more than eight channels, one beside it: neither can be written through Swift's tuple.
static inline void km_take_samples(AVFrame *frame, int first, int count) {
  int planar = av_sample_fmt_is_planar(frame->format);
  int planes = planar ? frame->ch_layout.nb_channels : 1;
  int step = av_get_bytes_per_sample(frame->format) * (planar ? 1 : frame->ch_layout.nb_channels);
  for (int plane = 0; plane < planes; plane++) {
    frame->extended_data[plane] += (size_t)first * step;
    if (frame->extended_data != frame->data && plane < AV_NUM_DATA_POINTERS)
      frame->data[plane] += (size_t)first * step;
  }
  frame->nb_samples = count;
}
