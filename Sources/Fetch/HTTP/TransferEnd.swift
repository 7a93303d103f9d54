import CCurl

/// How a transfer ended, for libcurl.
struct TransferEnd {
  /// libcurl's code.
  let code: CURLcode
  /// What libcurl says about it.
  let words: String

  /// Whether libcurl found nothing wrong.
  var isOK: Bool { code == CURLE_OK }

  /// Why there is no answer at all.
  func failure(_ url: RemoteURL, _ exchange: Exchange) -> FetchError {
    if let address = exchange.refusedAddress, !exchange.hasTriedToConnect {
      return .privateAddress(url, "\(address)")
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return FetchError(.name, url: url.text, words)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      return FetchError(.certificate, url: url.text, words)
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_OK:
      return FetchError(.cut, url: url.text, "the connection broke before an answer came")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR:
      return FetchError(.badAnswer, url: url.text, "the server does not speak HTTP: \(words)")
    default:
      return FetchError(.connection, url: url.text, words)
    }
  }
}

extension FetchError {
  /// A host that is not to be asked.
  static func privateAddress(_ url: RemoteURL, _ address: String) -> FetchError {
    FetchError(
      .privateAddress, url: url.text,
      "\(address) is not on the public internet; --allow-private fetches from there")
  }
}
