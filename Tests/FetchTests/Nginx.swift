import Glibc
import Platform
import TestServer
import TestSupport
import Testing

/// A real web server for the files in `www/` of the test's directory.
///
/// `/slow/` holds them back after their first 64 KiB. Whatever can be packed is, for those who ask.
final class Nginx {
  /// The URL of its root.
  let url: String
  /// The same, encrypted; its certificate is `certificate.pem`.
  let secureURL: String
  private let process: ChildProcess

  /// Where the server's program is: installed, or unpacked by `scripts/setup test`.
  static let program: String? = {
    let root = Files.parent(of: Files.parent(of: Files.parent(of: #filePath)))
    return ["/usr/sbin/nginx", root + "/.build/nginx/usr/sbin/nginx"]
      .first { (try? FileStatus($0))?.kind == .file }
  }()

  /// Starts a server, which listens when this returns.
  init() throws {
    let program = try #require(Self.program)
    let (plain, secure) = (try ListeningSocket(), try ListeningSocket())
    defer {
      close(plain.number)
      close(secure.number)
    }
    url = "http://127.0.0.1:\(plain.port)"
    secureURL = "https://localhost:\(secure.port)"
    try Files.makeDirectory(path("www"))
    try Self.makeCertificate()
    let configuration = Self.configuration(plain.port, secure.port)
    try AtomicFile.write(configuration, to: path("nginx.conf"))
    // As it is handed over to a new nginx by an old one: no port is free for others in between.
    let log = try FileDescriptor.open(path("nginx.log"), .append)
    let launch = ChildProcess.Launch(
      program, ["-p", directory, "-c", path("nginx.conf"), "-e", "stderr"],
      environment: ["NGINX": "3;4;"],
      descriptors: [2: log.rawValue, 3: plain.number, 4: secure.number])
    process = try ChildProcess(launch)
  }

  deinit {
    process.send(.kill)
    _ = try? process.wait()
  }

  /// Puts a file there.
  func put(_ name: String, _ bytes: [UInt8]) throws {
    try AtomicFile.write(bytes, to: path("www/\(name)"), permissions: 0o644)
  }

  private static func makeCertificate() throws {
    let command = """
      req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost
      -addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem
      """
    let arguments = command.split(whereSeparator: \.isWhitespace).map(String.init)
    let openssl = try ChildProcess(
      .init("/usr/bin/openssl", arguments, workingDirectory: directory))
    try #require(try openssl.wait().status.isSuccess)
  }

  private static func configuration(_ port: UInt16, _ securePort: UInt16) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
    // Its worker would be another user, who cannot read the test's directory.
    let user = getuid() == 0 ? "user root root;" : ""
    return """
      daemon off; worker_processes 1; \(user) pid \(directory)/nginx.pid; error_log stderr crit;
      events {}
      http {
        access_log off; \(temporary)
        types { audio/mpeg mp3; }
        gzip on; gzip_types *; gzip_min_length 1;
        server {
          listen 127.0.0.1:\(port);
          listen 127.0.0.1:\(securePort) ssl;
          ssl_certificate \(directory)/certificate.pem;
          ssl_certificate_key \(directory)/key.pem;
          root \(directory)/www;
          location /slow/ { alias \(directory)/www/; limit_rate_after 64k; limit_rate 16k; }
        }
      }
      """
  }
}
