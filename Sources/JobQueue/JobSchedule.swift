public import FoundationEssentials

/// A job that is to be submitted again and again.
public struct NewSchedule: Hashable, Sendable {
  /// What people call it; no two have the same name.
  public var name: String
  /// When.
  public var cron: CronExpression
  /// What is submitted; its `due` and `after` count for nothing.
  public var job: NewJob

  /// Makes a schedule of its parts.
  public init(name: String, cron: CronExpression, job: NewJob) {
    self.name = name
    self.cron = cron
    self.job = job
  }
}

/// A recurring job as the queue keeps it.
public struct JobSchedule: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// When, as it was written.
  public var cron: String
  /// What is submitted.
  public var job: NewJob
  /// When it was added.
  public var createdAt: Date
  /// The next time; nil where the file holds an expression that this version cannot read.
  public var nextAt: Date?
  /// When it last submitted a job.
  public var firedAt: Date?
  /// The job that it submitted last.
  public var lastJob: Job.ID?
}
