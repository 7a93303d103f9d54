/// Deadlines with what to do then: the earliest is found at once, any can be cancelled.
struct TimerHeap<Action> {
  struct Entry {
    let deadline: Int64
    let id: UInt64
  }

  private var entries: [Entry] = []
  private var actions: [UInt64: Action] = [:]
  private var lastID: UInt64 = 0

  /// The number of timers that wait.
  var count: Int { actions.count }

  /// Adds a timer, or sets one again under the id it had.
  ///
  /// Equal deadlines come in order of adding.
  @discardableResult
  mutating func add(deadline: Int64, id: UInt64? = nil, _ action: Action) -> UInt64 {
    if id == nil { lastID += 1 }
    let id = id ?? lastID
    actions[id] = action
    entries.append(Entry(deadline: deadline, id: id))
    siftUp(entries.count - 1)
    return id
  }

  mutating func cancel(_ id: UInt64) {
    guard actions.removeValue(forKey: id) != nil else { return }
    // Entries of cancelled timers stay until they come up, unless they become the most.
    if entries.count > 2 * actions.count + 64 { compact() }
  }

  /// The earliest deadline.
  mutating func next() -> Int64? {
    dropCancelled()
    return entries.first?.deadline
  }

  /// Takes the earliest timer whose deadline is not after `now`.
  mutating func popDue(_ now: Int64) -> (id: UInt64, action: Action)? {
    dropCancelled()
    guard let first = entries.first, first.deadline <= now,
      let action = actions.removeValue(forKey: first.id)
    else { return nil }
    removeFirst()
    return (first.id, action)
  }

  private mutating func dropCancelled() {
    while let first = entries.first, actions[first.id] == nil { removeFirst() }
  }

  private mutating func compact() {
    entries.removeAll { actions[$0.id] == nil }
    entries.sort(by: precedes)
  }

  private func precedes(_ a: Entry, _ b: Entry) -> Bool {
    (a.deadline, a.id) < (b.deadline, b.id)
  }

  private mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0, precedes(entries[child], entries[(child - 1) / 2]) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      let children = (2 * parent + 1)..<min(2 * parent + 3, max(2 * parent + 1, entries.count))
      guard let least = children.min(by: { precedes(entries[$0], entries[$1]) }),
        precedes(entries[least], entries[parent])
      else { return }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
