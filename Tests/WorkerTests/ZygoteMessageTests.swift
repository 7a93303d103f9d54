import Testing

@testable import Worker

@Suite struct ZygoteMessageTests {
  @Test(arguments: [
    ZygoteMessage.ready, .fork(ticket: 0), .fork(ticket: .max), .forked(ticket: 7, pid: 4_194_304),
    .failed(ticket: 7, code: 11),
  ])
  func `a message goes through a packet as it is`(message: ZygoteMessage) {
    #expect(ZygoteMessage(message.bytes) == message)
  }

  @Test(arguments: ["", " ", "fork", "fork x", "forked 7", "forked 7 x", "ready 1", "fork 1 2 3 4"])
  func `anything else is no message`(text: String) {
    #expect(ZygoteMessage(Array(text.utf8)) == nil)
  }

  @Test func `jobs get what libraries need of the environment, and no secrets`() {
    let variables = JobEnvironment.selected(from: [
      "PATH": "/bin", "LC_ALL": "C.UTF-8", "AWS_SECRET_ACCESS_KEY": "s", "KEYMILL_DB": "q.db",
      "LD_PRELOAD": "x.so",
    ])
    #expect(
      variables == [
        "PATH": "/bin", "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1",
      ])
  }
}
