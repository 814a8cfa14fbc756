// The protocol of certo, version 1. Made by `certo schema --typescript`; what is changed here is lost.

/** The versions of the protocol that the server speaks. */
export const VERSIONS = [1] as const;

/** The number of each error, by its name. */
export const ERRORS = {
  BadRequest: 4000,
  StaleText: 4001,
  NoInterpreter: 4003,
  SandboxUnavailable: 4005,
  BudgetExhausted: 4006,
  ModelFailed: 4009,
  SearchNotFound: 4011,
  CandidateNotFound: 4012,
  KeyReused: 4013,
  CancelIncomplete: 4014,
  UnsupportedVersion: 4016,
  NotAuthorised: 4019,
  TargetNotFound: 4020,
  BadSource: 4021,
  BadSetting: 4022,
  BrokenWorld: 4023,
  NotVerified: 4024,
  NotResumable: 4025
} as const;

/** The name of an error, as `Failure.name` has it; a later server may know more. */
export type ErrorName = keyof typeof ERRORS;

/** What a client may ask. */
export interface ClientRequests {
  "certo/search/start": { params: StartParams; result: StartResult; refusal: Failure };
  "certo/search/retry": { params: RetryParams; result: StartResult; refusal: Failure };
  "certo/search/resume": { params: ResumeParams; result: StartResult; refusal: Failure };
  "certo/search/attach": { params: AttachParams; result: AttachResult; refusal: Failure };
  "certo/search/cancel": { params: SearchParams; result: CancelResult; refusal: Failure };
  "certo/search/list": { params: ListParams; result: ListResult; refusal: Failure };
  "certo/search/get": { params: SearchParams; result: GetResult; refusal: Failure };
  "certo/search/forget": { params: SearchParams; result: ForgetResult; refusal: Failure };
  "certo/verify": { params: VerifyParams; result: CurrentReport; refusal: Failure };
  "certo/tests": { params: TestsParams; result: CurrentTestsReport; refusal: Failure };
  "certo/strength": { params: StrengthParams; result: StrengthResult; refusal: Failure };
  "certo/diff": { params: DiffParams; result: BehaviourDiff; refusal: Failure };
  "certo/estimate": { params: EstimateParams; result: EstimateResult; refusal: Failure };
  "certo/environment": { params: EnvironmentParams; result: EnvironmentResult; refusal: Failure };
  "certo/status": { params: StatusParams; result: StatusResult; refusal: Failure };
  "certo/candidate/get": { params: CandidateGetParams; result: CandidateGetResult; refusal: Failure };
  "certo/candidate/apply": { params: ApplyParams; result: ApplyResult; refusal: Failure };
  "certo/candidate/rebase": { params: RebaseParams; result: RebaseResult; refusal: Failure };
  "certo/candidate/edited": { params: EditedParams; result: EditedResult; refusal: Failure };
  "certo/candidate/mixed": { params: MixedParams; result: EditedResult; refusal: Failure };
  "certo/candidate/feedback": { params: FeedbackParams; result: null; refusal: Failure };
  "certo/candidate/compare": { params: CompareParams; result: CompareResult; refusal: Failure };
}

/** What a client may tell. */
export interface ClientNotifications {
  "certo/model/delta": { params: ModelDelta };
}

/** What the server may ask. */
export interface ServerRequests {
  "certo/model/ask": { params: ModelQuestion; result: ModelAnswer; refusal: ModelRefusal };
  "certo/secret": { params: SecretQuestion; result: SecretAnswer; refusal: null };
}

/** The commands of `workspace/executeCommand`. */
export interface Commands {
  "certo.generate": { argument: GenerateArguments; answer: CommandAnswer };
  "certo.tests": { argument: TestsArguments; answer: CommandAnswer };
  "certo.cancel": { argument: SearchArguments; answer: CommandAnswer };
  "certo.accept": { argument: CandidateArguments; answer: CommandAnswer };
  "certo.retry": { argument: RetryArguments; answer: CommandAnswer };
  "certo.showDiff": { argument: CandidateArguments; answer: CommandAnswer };
  "certo.dismiss": { argument: SearchArguments; answer: CommandAnswer };
  "certo.next": { argument: SearchArguments; answer: CommandAnswer };
  "certo.diff": { argument: CompareArguments; answer: CommandAnswer };
  "certo.traceback": { argument: TracebackArguments; answer: CommandAnswer };
  "certo.more": { argument: MoreArguments; answer: CommandAnswer };
}

/** The address of a daemon; `tokenFile` is null if its user has given the token, which no file has then. */
export interface Address {
  transport: "tcp" | "ws";
  host: string;
  port: number;
  tokenFile: string | null;
  version: string;
}

/** The version both sides speak, the name of this daemon, and the requests there are. */
export interface Agreed {
  version: number;
  instance: string;
  methods: string[];
  limits: Limits;
}

/** The server's answer, in `experimental` of its capabilities. */
export interface Agreement {
  certo: Agreed;
}

/** The line that a daemon on sockets prints for each. */
export interface Announcement {
  certo: Address;
}

/** Any event, told apart by its `type`. */
export type AnyEvent = SearchPreparing | SearchResumed | SearchStarted | IdeaAdded | IdeaDropped | CandidateDrafted | CandidateWritten | ModelLooked | CandidateDeclined | CandidateRepeated | CandidateProposed | VerifierStarted | VoteCast | VerdictReached | SpeedMeasured | CandidateScored | CandidateRanked | CandidateCompared | EvidenceGraded | StrengthProgressed | StrengthMeasured | BestImproved | GeneratorReported | BudgetSpent | SearchStopped;

/**
 * The candidate to apply: all of it, or the hunks of these numbers.
 *
 * With `version`, it is applied to that version of the document only.
 */
export interface ApplyParams {
  searchId: string;
  candidateId: string;
  hunks?: number[] | null;
  version?: number | null;
}

/**
 * The result of applying a candidate, once the editor has applied or refused the edit.
 *
 * `candidateId` names the applied candidate, which is another one if the text had changed or only some hunks were applied. `version` is the document's version with the candidate in it, null if the editor has sent none. `reason` says why it was not applied, or why it was applied without being `verified`. `report` is about exactly the text that was to be applied; null if there was none.
 */
export interface ApplyResult {
  applied: boolean;
  candidateId?: string | null;
  version?: number | null;
  verified?: boolean;
  moved?: boolean;
  merged?: boolean;
  reason?: string;
  report?: Report | null;
  conflicts?: Conflict[];
}

/**
 * The versions a client speaks, what it lends, and what else it says of itself that only certo asks.
 *
 * It lends its language model (`model`) and its storage for keys (`secrets`). With `commandLinks` its hovers run commands, and with `instructions` it asks its user for one before it runs a command that says so; `token` is that of a daemon on sockets. A key that is not known is passed over.
 */
export interface Asked {
  versions?: number[];
  model?: boolean;
  secrets?: boolean;
  commandLinks?: boolean;
  instructions?: boolean;
  token?: string | null;
}

/** A client's request, in `experimental` of its capabilities or in its initialization options. */
export interface Asking {
  certo: Asked;
}

/** A search, the number of the last event that the client has, and the token for sending it the later ones. */
export interface AttachParams {
  searchId: string;
  fromSeq?: number;
  partialResultToken?: number | string | null;
}

/** The end of an attachment: the number of the last event, and the events that went out under no token. */
export interface AttachResult {
  events: (SearchPreparing | SearchResumed | SearchStarted | IdeaAdded | IdeaDropped | CandidateDrafted | CandidateWritten | ModelLooked | CandidateDeclined | CandidateRepeated | CandidateProposed | VerifierStarted | VoteCast | VerdictReached | SpeedMeasured | CandidateScored | CandidateRanked | CandidateCompared | EvidenceGraded | StrengthProgressed | StrengthMeasured | BestImproved | GeneratorReported | BudgetSpent | SearchStopped)[];
  lastSeq: number;
  state: "running" | "stopped";
}

/** The text a search began with: the SHA-256 of its UTF-8 form, and the version of the open document that has it. */
export interface Base {
  version: number | null;
  sha256: string;
}

/**
 * The results of the tests before any candidate: those that count, those set aside, and sentences for the user.
 *
 * `policy` is what they, and so candidates, are allowed besides computing; `needs` says why it is not the strictest. Tests of a `whole` suite need not reach the target.
 */
export interface Baseline {
  tests: KnownTest[];
  setAside: KnownTest[];
  problems: string[];
  policy: "strict" | "forking" | "subprocess" | "loopback";
  needs: string;
  whole?: boolean;
}

/**
 * The result for one function at `line`, in the version `older` at `olderLine`.
 *
 * `compared` calls had outcomes that could be compared; `made` counts the calls by source, and `skipped` those not compared by reason. A function that was moved or renamed is at `olderPlace` there. The evidence `isWeak` if there were fewer than 20 calls, only exceptions, or a branch of the change that none executed. Without a comparison, `reason` says why there is none.
 */
export interface BehaviourDiff {
  type?: "diff";
  path: string;
  qualname: string;
  line: number;
  older: string;
  olderLine: number;
  olderPlace?: string;
  result: "different" | "no-difference-found" | "not-compared";
  reason?: string;
  compared: number;
  made: Record<string, number>;
  skipped: Record<string, number>;
  branches: BranchCoverage;
  olderBranches: BranchCoverage;
  sensitivity?: Sensitivity;
  differences?: BehaviourDifference[];
  isWeak?: boolean;
  seconds: number;
}

/** A call on which two versions differ, with both outcomes; `where` is the test that makes it, if only that can. */
export interface BehaviourDifference {
  call: string;
  before: string;
  now: string;
  kind: "value" | "exception" | "endless" | "arguments" | "state" | "output" | "message" | "slight" | "log" | "sharing";
  domain: "usual" | "unusual" | "accident";
  isSlight: boolean;
  where?: string;
}

/** A candidate is now the best one. */
export interface BestImproved {
  type: "search.improved";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  cost: Cost;
}

/** The branches of one version: how many, and those that no call executed, by line and in words. */
export interface BranchCoverage {
  number: number;
  missed?: [number, string][];
}

/** The limits of a search; null is no limit. */
export interface Budget {
  candidates: number;
  seconds: number;
  calls: number | null;
  tokens: number | null;
  dollars: number | null;
}

/** The spending of a search so far. */
export interface BudgetSpent {
  type: "budget";
  seq: number;
  search: string;
  at: number;
  spent: Spent;
  budget: Budget;
}

/** A search that has ended: how, and after how many milliseconds none of its processes was left. */
export interface CancelResult {
  searchId: string;
  state?: "stopped";
  outcome: "solved" | "unverified" | "nothing-to-fix" | "nothing-to-go-by" | "exhausted" | "attempts-spent" | "budget-spent" | "cancelled" | "interrupted" | "refused" | "world-broken" | "broken";
  stoppedMs: number;
}

/** A candidate of a search; the one that is shown if none is named. */
export interface CandidateArguments {
  v?: 1;
  searchId: string;
  candidateId?: string | null;
}

/** It was found out how a candidate that passed acts beside the others that did, or why nobody knows. */
export interface CandidateCompared {
  type: "candidate.compared";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  standing: Standing;
}

/** A line of tries got no candidate, for this reason, and has ended. */
export interface CandidateDeclined {
  type: "candidate.declined";
  seq: number;
  search: string;
  at: number;
  slot: number;
  attempt: number;
  reason: string;
}

/**
 * A candidate is being written by a language model: what it would change so far, as a unified diff, for show.
 *
 * `lines` is how many lines the target has so far.
 */
export interface CandidateDrafted {
  type: "candidate.drafted";
  seq: number;
  search: string;
  at: number;
  slot: number;
  attempt: number;
  model: string;
  lines: number;
  diff: string;
}

/** A candidate, and the parts of it to return. */
export interface CandidateGetParams {
  searchId: string;
  candidateId: string;
  want: ("edits" | "diff" | "hunks" | "report" | "text")[];
}

/**
 * A candidate, with the parts that were wanted; the others are null. All of them are about the base text.
 *
 * `caveat` is that of its report.
 */
export interface CandidateGetResult {
  searchId: string;
  candidateId: string;
  number: number;
  passed: boolean;
  verified: boolean;
  caveat?: string;
  edits?: TextEdit[] | null;
  diff?: string | null;
  hunks?: NumberedHunk[] | null;
  report?: Report | null;
  text?: string | null;
}

/**
 * A generator proposed a candidate: its edits over the base text, the same as hunks, and what it changes elsewhere.
 *
 * `diff` is all of it as one unified diff. Where it is the rival of another candidate (`rivalOf`), `difference` is a call for which it gives `ours`, and that one `theirs`. `observations` are what it gives for the calls by which it and its rivals can all be told apart.
 */
export interface CandidateProposed {
  type: "candidate.proposed";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  parent: string | null;
  origin: Origin;
  edits: TextEdit[];
  diff: string;
  hunks: Hunk[];
  elsewhere?: FileChange[];
  rivalOf?: string | null;
  difference?: Difference | null;
  observations?: Observation[];
}

/** A candidate that passed took its place, from 1 for the best, among the `of` that have passed so far. */
export interface CandidateRanked {
  type: "candidate.ranked";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  place: number;
  of: number;
}

/** A candidate that is known already was proposed again, this time from `parent`; it is not judged again. */
export interface CandidateRepeated {
  type: "candidate.repeated";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  origin: Origin;
  parent?: string | null;
}

/**
 * A candidate's report is complete; only one that passed has a cost.
 *
 * `score` says how near it is, or how good; `caveat` why it is not verified, or not tried apart, as in its report.
 */
export interface CandidateScored {
  type: "candidate.scored";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  passed: boolean;
  verified: boolean;
  cost: Cost | null;
  score?: Score | null;
  caveat?: string;
}

/** A language model wrote some more of an answer: `text` goes where the answer has `atCharacter` characters. */
export interface CandidateWritten {
  type: "candidate.written";
  seq: number;
  search: string;
  at: number;
  slot: number;
  attempt: number;
  model: string;
  atCharacter: number;
  text: string;
}

/** One sentence about a line of a changed function; `rule` is a word that stays the same. */
export interface ChangeNote {
  level: "error" | "warning" | "note";
  rule: string;
  line: number;
  message: string;
}

/**
 * The result for one changed function, or for a file that could not be read.
 *
 * `evidence` has the verdicts and the strength of the tests, `diff` what it does otherwise than before, and `notes` what of both deserves attention, the gravest first. Without evidence, `reason` says why there is none. It is `cached` if an earlier run found all of it in exactly this state of the project.
 */
export interface ChangedFunctionReport {
  type?: "changed-function";
  path: string;
  qualname: string;
  line: number;
  result: "verified" | "not-verified" | "undecided" | "failed" | "not-judged" | "unreadable" | "deleted";
  isNew?: boolean;
  reason?: string;
  summary?: string;
  notes?: ChangeNote[];
  evidence?: Report | null;
  diff?: BehaviourDiff | null;
  cached?: boolean;
  seconds?: number;
}

/**
 * The end of a run: what was compared with, the exit code, and what differs without being judged.
 *
 * `folder` is that of the project in its repository, as "server/", or empty. In the files `outside`, code that is in no function differs.
 */
export interface ChangesReport {
  type?: "changes";
  root: string;
  folder?: string;
  revision: string;
  commit: string;
  exitCode: number;
  functions: number;
  cached: number;
  outside?: string[];
  testFiles?: string[];
}

/**
 * The check of a digest. It `holds` if it says verified, and code and tests are unchanged.
 *
 * It `isOurs` if this user's certo made it; then `record` says what for. `changedTexts` and `changedTests` are the files that are not what they were.
 */
export interface CheckedVerdict {
  type?: "check";
  digest: string;
  isOurs: boolean;
  holds: boolean;
  record: SignedVerdict | null;
  changedTexts?: string[];
  changedTests?: string[];
}

/**
 * The answer of a command: the state it leads to. Fields that do not apply are left out.
 *
 * If `state` is `failed`, `error` is a sentence about it, and `name` is its name in the table of errors.
 */
export interface CommandAnswer {
  state: "running" | "locating" | "cancelled" | "stopped" | "accepting" | "accepted" | "shown" | "dismissed" | "comparing" | "failed";
  searchId?: string | null;
  candidateId?: string | null;
  error?: string | null;
  name?: string | null;
}

/** The function to compare with the last commit, by a command that shows the result. */
export interface CompareArguments {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
}

/** The two candidates to compare. */
export interface CompareParams {
  searchId: string;
  candidateId: string;
  otherId: string;
}

/**
 * The plainest call that was found for which the candidates answer otherwise.
 *
 * `base` is what comes of it in the text that the search began with, empty where that is not known. `tried` is how many calls were made of both. `reason` says why there is no difference to show; it is empty where there is one.
 */
export interface CompareResult {
  difference: Difference | null;
  base?: string;
  tried: number;
  reason: string;
}

/** A conflict of the user and the candidate about the same lines: the place in the user's text, and both sides. */
export interface Conflict {
  range: Range;
  ours: string;
  theirs: string;
}

/** A number by which candidates are compared, lower is better, and what criteria gave towards it. */
export interface Cost {
  value: number;
  unit: string;
  source: string;
  spreads: Spread[];
}

/**
 * The report on a function in its current text.
 *
 * `digest` vouches for the verdict, for `certo check`; it is empty if nothing was kept.
 */
export interface CurrentReport {
  type?: "report";
  root: string;
  path: string;
  qualname: string;
  line: number;
  verified: boolean;
  evidence: Report;
  baseline: Baseline;
  seconds: number;
  digest?: string;
}

/** Tests written for a function in its current text; `applied` if they were added to the file. */
export interface CurrentTestsReport {
  type?: "tests";
  root: string;
  path: string;
  qualname: string;
  line: number;
  written: WrittenTests;
  applied?: boolean;
  seconds: number;
}

/**
 * The number of tests that noticed a wrong version of the target, and the ids of those that noticed none.
 *
 * `reason` says why nothing is verified; it is empty if some test depends on what the target does.
 */
export interface Dependence {
  noticed: number;
  idle?: string[];
  reason?: string;
}

/** The function to compare with what it was in the revision `against`. */
export interface DiffParams {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
  against?: string;
}

/** A call of the target, and what comes of it in the one candidate (`ours`) and in the other (`theirs`). */
export interface Difference {
  call: string;
  ours: string;
  theirs: string;
}

/** A call that gives something else `before`, in an older version, than `now`. */
export interface DifferingCall {
  call: string;
  before: string;
  now: string;
}

/** The whole file as the user would have it, made of the text that a candidate has for it. */
export interface EditedParams {
  searchId: string;
  candidateId: string;
  text: string;
}

/** The candidate that this is, which is another than those it was made of, and what every verifier said of it. */
export interface EditedResult {
  searchId: string;
  candidateId: string;
  number: number;
  passed: boolean;
  verified: boolean;
  report: Report;
}

/** An edit as LSP has it, in units of the negotiated encoding. */
export interface EditorEdit {
  range: Range;
  newText: string;
}

/** The document, or the folder, whose surroundings are asked for. */
export interface EnvironmentParams {
  uri: string;
}

/**
 * The environment that certo finds for a document; `facts` are sentences about all of it, in reading order.
 *
 * `isolation` says how code would be confined. A part that does not exist is null. `settingOrigins` names the source of each setting that differs from its default.
 */
export interface EnvironmentResult {
  version: string;
  usable: boolean;
  root: FoundRoot;
  interpreter: FoundInterpreter | null;
  testFiles: number;
  isolation: string | null;
  settings: Record<string, unknown>;
  settingOrigins: Record<string, string>;
  facts: Fact[];
}

/** The search that is not started. */
export interface EstimateParams {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
  instruction?: string;
  range?: Range | null;
  settings?: Record<string, unknown> | null;
  background?: boolean;
  ask?: "instruction" | null;
  goal?: "faster" | null;
  preserve?: boolean;
  testsFirst?: boolean;
}

/**
 * An estimate of a search: `likely` if the first answer passes, and at `most`, with the number of `tries`.
 *
 * `cap` names the parts of the budget that would end it earlier, with their values; empty if none would.
 */
export interface EstimateResult {
  models: string[];
  tries: number;
  likely: Expense;
  most: Expense;
  cap: string;
}

/** The evidence for a verified candidate has this level by all that is known now; a later event may change it. */
export interface EvidenceGraded {
  type: "evidence.graded";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  graded: GradedEvidence;
}

/** The cost of calls of language models; `dollars` is null if the price of one is unknown. */
export interface Expense {
  calls: number;
  tokens: number;
  dollars: number | null;
}

/** One thing that was found; `remedy` is a command to run, or what to do, when something is missing. */
export interface Fact {
  subject: string;
  health: "good" | "lacking" | "broken";
  says: string;
  details: string[];
  remedy: string;
}

/**
 * The `data` of an error that answers a client's request.
 *
 * `retriable` says that the same request may be granted later, after `retryAfter` seconds where that is known. `searchId` is the search it is about, `status` the number HTTP gives the failure of a language model: 401 and 403 are about its key, 429 means that it is asked too often.
 */
export interface Failure {
  name: string;
  retriable: boolean;
  retryAfter?: number | null;
  searchId?: string | null;
  status?: number | null;
}

/** The user's feedback on a candidate. */
export interface FeedbackParams {
  searchId: string;
  candidateId: string;
  ruling: "accepted" | "rejected" | "edited";
  note?: string;
}

/**
 * A file besides the document that a candidate changes: `after` of `before`, which is null where it is new.
 *
 * `path` is relative to the root; `diff` and `hunks` are the change.
 */
export interface FileChange {
  path: string;
  before: string | null;
  after: string;
  diff: string;
  hunks: Hunk[];
}

/** One thing a verifier has to say, with its 1-based line when there is one. */
export interface Finding {
  message: string;
  line: number | null;
}

/** A search that is gone, with all its processes. */
export interface ForgetResult {
  searchId: string;
  state?: "forgotten";
}

/** The Python that runs the tests, why it is that, and which others were not taken; `pytest` is its version. */
export interface FoundInterpreter {
  executable: string;
  version: string;
  pytest: string | null;
  why: string;
  tried: string[];
}

/** The root of a project, and why it is that. */
export interface FoundRoot {
  path: string;
  why: string;
}

/**
 * A small change of the function, on a 1-based line, that no test notices, and a call that shows it.
 *
 * `kind` names what was changed; `before` and `after` are the changed lines, of which `after` is empty if they are left out. The `call` gives `now`, and would give `changed`. `unusual` means that no test calls the function like this, `sameCall` that the call of an earlier gap shows this one too. `where` is the test that makes the call, if it can be made only there.
 */
export interface Gap {
  line: number;
  kind: string;
  before: string;
  after: string;
  call: string;
  now: string;
  changed: string;
  unusual?: boolean;
  sameCall?: boolean;
  where?: string;
}

/** A request to generate, by a command that shows the result. */
export interface GenerateArguments {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
  instruction?: string;
  range?: Range | null;
  settings?: Record<string, unknown> | null;
  background?: boolean;
  ask?: "instruction" | null;
  goal?: "faster" | null;
  preserve?: boolean;
  testsFirst?: boolean;
}

/** The generator has something to say about its progress. */
export interface GeneratorReported {
  type: "generator.progress";
  seq: number;
  search: string;
  at: number;
  message: string;
}

/** The state of a search: the candidates that passed, best first, then the others in the order they were made. */
export interface GetResult {
  search: SearchSummary;
  candidates: RankedCandidate[];
}

/** An example of what the function has to do: a call, and the expression that it has to equal. */
export interface GivenExample {
  call: string;
  expected: string;
}

/**
 * The level of the evidence for a verified candidate, and why in clauses.
 *
 * The right result of `call` would settle whether the candidate is right: all that pass and behave differently give another one there. It is "" if no such call is known.
 */
export interface GradedEvidence {
  level: "strong" | "fair" | "weak";
  reasons?: string[];
  call?: string;
}

/** Growth of the time of a call with the size n of its arguments, as the exponents k of n^k before and after. */
export interface Growth {
  before: number;
  after: number;
}

/** Lines that stand together: from the 1-based `line` of the base on, `removed` became `added`. */
export interface Hunk {
  line: number;
  removed: string[];
  added: string[];
}

/** There is something to try that was not tried yet, in words; it grew from another `parent` idea, or from none. */
export interface IdeaAdded {
  type: "idea.added";
  seq: number;
  search: string;
  at: number;
  idea: number;
  parent: number | null;
  text: string;
}

/** Nothing more is to come of an idea, for this reason. */
export interface IdeaDropped {
  type: "idea.dropped";
  seq: number;
  search: string;
  at: number;
  idea: number;
  reason: string;
}

/** A test as it stood before any candidate. */
export interface KnownTest {
  id: string;
  ruling: "passed" | "failed" | "undecided";
  message: string;
  seconds: number;
}

/** The most that is taken: bytes of one message. */
export interface Limits {
  messageBytes: number;
}

/**
 * The searches to list: those about a document or below a folder, all if neither is named.
 *
 * `cursor` is the one that came with the previous answer.
 */
export interface ListParams {
  uri?: string | null;
  folder?: string | null;
  cursor?: string | null;
  limit?: number;
}

/** Searches in the order they were started; `cursor` is null when there are no more. */
export interface ListResult {
  searches: SearchSummary[];
  cursor: string | null;
}

/** Hunks of several candidates of one search, which are to be one candidate. */
export interface MixedParams {
  searchId: string;
  parts: MixedPart[];
}

/** Some hunks of one candidate, by their numbers. */
export interface MixedPart {
  candidateId: string;
  hunks: number[];
}

/** The end of an answer. `text` is the whole of it, for an editor that has told no pieces. */
export interface ModelAnswer {
  finish?: "complete" | "cut" | "filtered";
  model?: string;
  text?: string;
  usage?: ModelUsage | null;
}

/** A piece of an answer, in the order it is written. */
export interface ModelDelta {
  token: string;
  text: string;
}

/**
 * A language model that writes a candidate called `tool` to look something up, and was given so many `characters`.
 *
 * It is look-up `number` of this candidate. `arguments` and `result` are the beginnings of both.
 */
export interface ModelLooked {
  type: "candidate.looked";
  seq: number;
  search: string;
  at: number;
  slot: number;
  attempt: number;
  model: string;
  number: number;
  tool: string;
  arguments: string;
  result: string;
  characters: number;
}

/** A question to a model. `token` goes with every piece of the answer; `model` is empty for the preferred one. */
export interface ModelQuestion {
  token: string;
  model: string;
  messages: ModelTurn[];
  sampling: ModelSampling;
  schema: Record<string, unknown> | null;
  schemaName: string;
}

/** Why there is no answer: `transient` when asking again may help, after `retryAfter` seconds if that is known. */
export interface ModelRefusal {
  transient?: boolean;
  retryAfter?: number | null;
}

/** Parameters for the model's sampling; null leaves one to the editor. */
export interface ModelSampling {
  temperature: number | null;
  topP: number | null;
  seed: number | null;
  maxTokens: number;
  stop: string[];
}

/** One turn of the conversation. */
export interface ModelTurn {
  role: "system" | "user" | "assistant";
  text: string;
}

/** The tokens of a question and its answer. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
}

/** The function whose further actions are shown, by a command that runs the one the user chooses. */
export interface MoreArguments {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
}

/**
 * A hunk of a candidate by the number under which it can be applied alone.
 *
 * `range` is what it replaces in the base, in whole lines; `lines` are those it takes away, behind "-", and those it puts there, behind "+", without line breaks; `header` is the one of a unified diff without context.
 */
export interface NumberedHunk {
  number: number;
  range: Range;
  header: string;
  lines: string[];
}

/** A call of the target, and what comes of it in a candidate. */
export interface Observation {
  call: string;
  result: string;
}

/** The origin of a candidate: the number of the `idea` that it follows, and the highest `suspicion` of its lines. */
export interface Origin {
  generator: string;
  note: string;
  slot: number;
  attempt: number;
  idea?: number | null;
  suspicion?: number | null;
}

/** A position as LSP has it: 0-based, in units of the negotiated encoding. */
export interface Place {
  line: number;
  character: number;
}

/** A stretch of a document as LSP has it, its end not included. */
export interface Range {
  start: Place;
  end: Place;
}

/**
 * A candidate without its text: `place` is its rank among those that passed, null for one that did not.
 *
 * `number` counts the candidates as they came, `judging` names the verifier at work on it, and `added` and `removed` are lines. Of the tests it owed (`tests`), `testsPassed` passed. Where it is the rival of another candidate, `difference` is a call for which it gives `ours`, and that one `theirs`. `observations` are what it gives for the calls by which it and its rivals can all be told apart. `caveat` is that of its report. `agreeing`, `uncompared`, `group`, `backed`, `compared`, `unusual` and `alike` are those of its standing. `speed` is there if it was measured, `graded` if it is verified.
 */
export interface RankedCandidate {
  candidateId: string;
  number: number;
  place: number | null;
  origin: Origin;
  judging: string | null;
  passed: boolean;
  verified: boolean;
  cost: Cost | null;
  rulings: Ruled[];
  tests: number;
  testsPassed: number;
  newlyPassing: number;
  added: number;
  removed: number;
  rivalOf?: string | null;
  difference?: Difference | null;
  observations?: Observation[];
  agreeing?: number;
  uncompared?: string;
  caveat?: string;
  group?: number;
  backed?: number;
  compared?: number;
  unusual?: boolean;
  alike?: number | null;
  speed?: Speed | null;
  graded?: GradedEvidence | null;
}

/** The candidate to rebase onto the current text. */
export interface RebaseParams {
  searchId: string;
  candidateId: string;
}

/**
 * The edits that put the candidate into the version named, or why there are none.
 *
 * `moved` says that the text is not the one it was found for, `merged` that its function was changed too. `report` is about exactly the text that the edits make.
 */
export interface RebaseResult {
  version: number | null;
  candidateId?: string | null;
  edits?: EditorEdit[] | null;
  moved?: boolean;
  merged?: boolean;
  verified?: boolean;
  reason?: string;
  report?: Report | null;
  conflicts?: Conflict[];
}

/**
 * All verdicts on one candidate, and what follows from them; `strength` is there if it was measured.
 *
 * `graded` is the level of the evidence, for a verified candidate of a search.
 *
 * `caveat` says why a candidate that passed is not verified, or that it is verified but was not tried apart from the tests; it is empty where nothing is to be added.
 */
export interface Report {
  candidateId: string;
  verdicts: Verdict[];
  passed: boolean;
  verified: boolean;
  caveat?: string;
  strength?: TestStrength | null;
  graded?: GradedEvidence | null;
}

/** A search to resume, and its whole budget, as settings; those that are left out stay as they were. */
export interface ResumeParams {
  searchId: string;
  settings?: Record<string, unknown> | null;
}

/** A search to repeat, and the changes to it, by a command that shows the result. */
export interface RetryArguments {
  v?: 1;
  searchId: string;
  feedback?: string;
  example?: GivenExample | string | null;
  candidateId?: string | null;
  instruction?: string | null;
  settings?: Record<string, unknown> | null;
}

/** A search to repeat, and the changes to it; `key` is as in the params of `certo/search/start`. */
export interface RetryParams {
  v?: 1;
  searchId: string;
  feedback?: string;
  example?: GivenExample | string | null;
  candidateId?: string | null;
  instruction?: string | null;
  settings?: Record<string, unknown> | null;
  key: string;
}

/** The verdict of a verifier on a candidate, in a word. */
export interface Ruled {
  verifier: string;
  ruling: "passed" | "failed" | "undecided";
}

/**
 * A number by which a search steers, of candidates that passed and of others; more is better where `maximize`.
 *
 * `metrics` are further numbers that an evaluator of the user's gave with it, by their names, and `remark` its words.
 */
export interface Score {
  value: number;
  unit: string;
  source: string;
  maximize: boolean;
  metrics?: Record<string, number>;
  remark?: string;
}

/** The id of a search. */
export interface SearchArguments {
  v?: 1;
  searchId: string;
}

/** The id of a search. */
export interface SearchParams {
  searchId: string;
}

/** A step before the problem is stated. */
export interface SearchPreparing {
  type: "search.preparing";
  seq: number;
  search: string;
  at: number;
  message: string;
}

/**
 * A search that had stopped goes on, with so many `candidates` judged and so many `answers` of language models.
 *
 * Calls of models that were under way and are `lost` may have to be paid for again.
 */
export interface SearchResumed {
  type: "search.resumed";
  seq: number;
  search: string;
  at: number;
  candidates: number;
  answers: number;
  lost: number;
}

/**
 * The problem is stated and the search begins; `path` is relative to `root`, `line` is 1-based.
 *
 * `second` is the function that candidates may change together with the target, as "PATH::NAME"; "" if there is none.
 */
export interface SearchStarted {
  type: "search.started";
  seq: number;
  search: string;
  at: number;
  root: string;
  path: string;
  qualname: string;
  line: number;
  goal: "implement" | "repair" | "rewrite" | "faster";
  generator: string;
  strategy: string;
  verifiers: string[];
  budget: Budget;
  baseline: Baseline;
  second?: string;
}

/**
 * The search is over; `sentence` is the outcome in words, `reason` what only this search knows.
 *
 * `advice` says what may help next; "" where nothing would. `followedBy` is the search that goes on where this one found nothing, about the next suspect of a failing test.
 */
export interface SearchStopped {
  type: "search.stopped";
  seq: number;
  search: string;
  at: number;
  outcome: "solved" | "unverified" | "nothing-to-fix" | "nothing-to-go-by" | "exhausted" | "attempts-spent" | "budget-spent" | "cancelled" | "interrupted" | "refused" | "world-broken" | "broken";
  sentence: string;
  advice?: string;
  reason: string;
  verified: boolean;
  winner: Winner | null;
  spent: Spent;
  followedBy?: string | null;
}

/**
 * The state of a search, in short. `outcome` is null while it runs, `best` while no candidate has passed.
 *
 * `line` is the first line of its function in the base text, from 1; `second` the function that candidates may change together with it, as "PATH::NAME", "" if there is none; `lastSeq` the number of its last event. An `ambient` search was begun by a failing test without being asked; it is listed once it has a verified candidate.
 */
export interface SearchSummary {
  searchId: string;
  state: "running" | "stopped";
  outcome: "solved" | "unverified" | "nothing-to-fix" | "nothing-to-go-by" | "exhausted" | "attempts-spent" | "budget-spent" | "cancelled" | "interrupted" | "refused" | "world-broken" | "broken" | null;
  sentence: string;
  uri: string;
  qualname: string;
  line: number;
  second: string;
  instruction: string;
  background: boolean;
  ambient: boolean;
  accepted: boolean;
  seconds: number;
  candidates: number;
  passed: number;
  best: string | null;
  lastSeq: number;
  base: Base;
}

/** The key, or null where the storage has none and the user gives none. */
export interface SecretAnswer {
  secret?: string | null;
}

/** The key of a provider, by the name that it would have as an environment variable. */
export interface SecretQuestion {
  provider: string;
  name: string;
}

/** The number of small changes of the function that the calls notice, of those tried; 0 of 0 if a call differs. */
export interface Sensitivity {
  noticed?: number;
  tried?: number;
}

/** The settings, as an editor writes them. */
export interface Settings {
  /** The Python that runs the project's code: a program, or the directory of an environment. Not set: certo looks for the project's own. Not allowed in a project's file. */
  interpreter?: string | null;
  search?: {
    /** Decides what to try next. `auto`, `retry`, `best_of` and `mcts` work with every generator; `linear_search`, `llm_tree_search` and `fixer` gain most from a language model. */
    strategy?: string;
    /** Proposes the candidates. `builtin` needs no model, no account and no network; `model` lets a language model write them. */
    generator?: string;
    /** The code a candidate may change. `function` is the target only. `files` adds other Python files of the project, though never its tests; then all tests of the project judge it, not only those that reach the target. The built-in generator always changes the target only. */
    scope?: "function" | "files";
    /** The most candidates that one search may judge. */
    candidates?: number;
    /** Seconds that one search may take, preparation included. Time in which other programs hold the processors, or earlier searches go first, does not count; by the clock, a search may run ten times as long. */
    seconds?: number;
    /** The most calls of language models that one search may make. Not set: no limit. A project's file may choose 200 or fewer. */
    calls?: number | null;
    /** The most tokens that language models may read and write in one search. Not set: no limit. */
    tokens?: number | null;
    /** The most dollars that one search may cost. Not set: no limit. With a limit, no model is asked whose price is unknown. */
    dollars?: number | null;
    /** For strategies that compare candidates by score: continue until one that passes has this score. Not set: stop at the first that passes. */
    stopAtScore?: number | null;
    /** Scores candidates: an evaluator from an installed package (entry points `certo.evaluators`), by name or as `module:attribute`. A project's file may only give a name. Empty: the score is the share of checks that a candidate passed. */
    evaluator?: string;
    /** Higher values of the evaluator are better; with `false`, lower ones are. */
    maximize?: boolean;
    /** If the evaluator fails or returns no finite number: `record` reports it and leaves the score unknown, `raise` ends the search. */
    evaluatorPolicy?: "record" | "raise";
    /** A file to which certo writes every question to a language model and its answer, as lines of JSON. Not allowed in a project's file. */
    record?: string | null;
    /** A file that `search.record` has written. The same questions are answered from it, without a model or a network. Not allowed in a project's file. */
    replay?: string | null;
    /** Run every check on a candidate even after one has failed it. */
    fullReport?: boolean;
    /** Make the winner smaller: leave out changes that its checks do not need, and format the target with the project's ruff. Each step is a candidate of its own, judged like any other. */
    compact?: boolean;
    /** Seeds every random choice of the generator. The same seed gives the same answer, if a language model honours it. */
    seed?: number;
  };
  auto?: {
    /** Lanes that run in parallel. One needs the fewest model calls; more finish sooner. */
    numCandidates?: number;
  };
  retry?: {
    /** Lanes that run in parallel. */
    numCandidates?: number;
    /** Candidates in each lane. Each is informed by the failures before it in its own lane. */
    maxIterations?: number;
    /** Make one candidate alone before the lanes start. It counts as the first candidate of each lane. */
    firstTry?: boolean;
    /** `first` stops at the first candidate that passes; `cheapest` compares those of all lanes by cost. */
    select?: "first" | "cheapest";
    /** For `cheapest`: a candidate that costs this or less wins at once. Not set: none does. */
    acceptCostThreshold?: number | null;
    /** For `cheapest`: a candidate that costs this or less is good. Not set: none is. */
    compareCostThreshold?: number | null;
    /** For `cheapest`: with this many good candidates the best of them wins, and the rest is cancelled. */
    minCandidatesForComparison?: number;
  };
  bestOf?: {
    /** Candidates that are requested at the same time. The best one that passes wins. */
    numCandidates?: number;
  };
  linearSearch?: {
    /** Defaults for the settings of this group: `MINIMAL` sets `code_debug_tries` to 2, `PRODUCTION` to 5. Your own values win. */
    preset?: "DEFAULT" | "MINIMAL" | "PRODUCTION";
    /** How often code that could not be run at all is repaired. */
    codeDebugTries?: number;
    /** The language model that suggests the next idea. Empty: the model that writes candidates. */
    ideaGenerationModel?: string;
    /** `best` starts each experiment from the best one so far, `baseline` from the original text. */
    parentPolicy?: "best" | "baseline";
  };
  llmTreeSearch?: {
    /** Defaults for the settings of this group: `MINIMAL` makes few candidates, `PRODUCTION` refines many ideas, `HEAVY_EXPERIMENTATION` runs many experiments in parallel, `HEAVY_THINKING` thinks about many ideas. Your own values win. */
    preset?: "DEFAULT" | "MINIMAL" | "PRODUCTION" | "HEAVY_EXPERIMENTATION" | "HEAVY_THINKING";
    /** The effort the model spends on ideas, in its provider's words. */
    reasoningEffort?: string;
    /** How often code that could not be run at all is repaired. */
    codeDebugTries?: number;
    /** Ideas that get new ideas below them in each step. The search begins with four times as many ideas. */
    nodeExpansionLimit?: number;
    /** New ideas below each of them. */
    nodeExpansionNewChildsCount?: number;
    /** Rounds in which ideas are made. Each round refines the ideas of the round before. */
    ideaGenerationSteps?: number;
    /** Multiplies the new ideas and the experiments of the first step. */
    firstExperimentFactor?: number;
    /** Experiments that run in parallel. */
    experimentationPerRun?: number;
    /** The most ideas that one call may return. */
    perStepMaximumSolutionCount?: number;
    /** The percentage of the budget after which the search only develops the best ideas so far. */
    explorationBudgetPercent?: number;
    /** The language model that chooses among ideas. Empty: the model that writes candidates. */
    ideaGenerationModel?: string;
    /** The language models that suggest ideas; all are asked each time. Empty: the model that writes candidates. */
    ideaGenerationEnsembleModels?: string[];
  };
  mcts?: {
    /** Candidates that are under way at the same time. */
    nSamples?: number;
    /** Candidates that may follow the first ones, as a multiple of `mcts.n_samples`. */
    maxRetries?: number;
    /** The most candidates in all. */
    maxCalls?: number;
    /** Seconds to wait before each candidate after the first ones. */
    retryDelay?: number;
    /** The rule that chooses the candidate to continue from. */
    scoring?: "UCT" | "ThompsonSampling";
    /** For `UCT`: the weight of candidates that the search has seldom continued from. */
    exploration?: number;
    /** For `ThompsonSampling`: successes that are assumed at the start. */
    alpha?: number;
    /** For `ThompsonSampling`: failures that are assumed at the start. */
    beta?: number;
    /** Among equally good candidates `PostOrderDFS` takes the end of a branch, `PreOrderDFS` its beginning. */
    ordering?: "PostOrderDFS" | "PreOrderDFS";
    /** Give the model all feedback of a branch in one message instead of a conversation. */
    feedbackInplace?: boolean;
    /** Progressive widening: the most continuations of a candidate are this number, times its visits to the power of `mcts.widening_exponent`. */
    widening?: number;
    /** The exponent of `mcts.widening`. 0: the limit does not grow with the visits. */
    wideningExponent?: number;
  };
  fixer?: {
    /** Repairs after the first candidate. */
    numRounds?: number;
    /** The prompt for a repair: `CodeFixerRCI` asks for a critique first; `CodeFixerShort` and `CodeFixerTiny` are shorter. */
    template?: "CodeFixerRCI" | "CodeFixerShort" | "CodeFixerTiny";
  };
  builtin?: {
    /** Seconds that the built-in generator may search, without the time it waits for a processor. Not set: all of `search.seconds` that is left, but for a part in which candidates are verified. */
    seconds?: number | null;
    /** Calls and iterations of loops that all its candidates together may take, for each minute of `search.seconds` and at least for one. */
    steps?: number;
    /** The most edits and expressions that it tries in a minute; up to three times as many in more. */
    candidates?: number;
    /** It stops after this many different candidates that pass the tests it runs itself. certo compares them, and shows at most five that behave differently. */
    plausible?: number;
    /** With a language model: while it writes the next candidate, the built-in generator repairs those that fail tests. No call is needed to write an edit; criteria are asked as for any candidate. */
    nearMisses?: boolean;
  };
  scripted?: {
    /** For the generator `scripted`: a JSON file with the list of replies, each `{"source": …}` or `{"decline": …}`. Not allowed in a project's file. */
    path?: string;
  };
  generation?: {
    /** For the generator `model`: the language models that write candidates. Parallel lanes take them in turn. Empty: the default model. */
    models?: string[];
    /** The sampling temperatures of candidates. Parallel lanes take them in turn. Empty: the model's own. */
    temperatures?: number[];
    /** Sentences added to the prompt. Parallel lanes take them in turn, so that their candidates differ. */
    hints?: string[];
    /** A directory of the project with prompts that replace certo's own (`certo prompts`). Empty: certo's own are used. */
    prompts?: string;
    /** The most tokens of the target's file that a prompt shows, and the most tokens of the tests. */
    contextTokens?: number;
    /** The most tokens of related code that a prompt shows: definitions that the target uses, and calls of it. 0: certo looks for none. */
    relatedTokens?: number;
    /** The most tokens of knowledge about the project that a prompt shows, from its files and from earlier searches (`certo memory`). 0: none, and no file is read for it. */
    memoryTokens?: number;
    /** How often a model may look something up while it writes one candidate: read files of the project, find definitions and callers, run an expression or a test. Each time is a further call of the model. For providers with tool calling only. 0: never. */
    lookUps?: number;
    /** The most tokens of a whole prompt, all past candidates included. */
    conversationTokens?: number;
  };
  memory?: {
    /** The language model that is asked at the end of each search what the search taught about the project. Not set: none is asked. Claims that quote text which is not in the files are dropped. */
    model?: string | null;
    /** If the model gives no usable answer: `warn` reports it, `fail` makes the search fail. */
    repoMemoryFailurePolicy?: "warn" | "fail";
    /** How often the model is asked again after an unusable answer. */
    repoMemoryMaxRetries?: number;
  };
  tests?: {
    /** Processor seconds that one test may take. A test that sleeps or waits may take three times as long. */
    seconds?: number;
    /** Seconds that the tests of one candidate may take together, without the time they wait for a processor. */
    totalSeconds?: number;
    /** Test files, directories or pytest node ids to run, relative to the root. Empty: the tests that reach the target. */
    paths?: string[];
    /** While an editor is open and the machine has nothing to do, run the tests that no search has run yet, so that later searches know which of them execute a function. */
    whenIdle?: boolean;
  };
  verify?: {
    /** The type checker for candidates. `auto` takes mypy or pyright if the project configures it, otherwise ty (the extra `certo[tools]`). A name requires that one; `off` runs none. */
    types?: "auto" | "off" | "mypy" | "pyright" | "ty";
    /** The linter for candidates. `auto` takes ruff, or else flake8, if the project configures it. A name requires that one; `off` runs none. */
    lint?: "auto" | "off" | "ruff" | "flake8";
    /** Processor seconds that such a tool may take for one text. A tool that needs more for your current text is left out. */
    seconds?: number;
    /** Your own checks, as `"module:function"` of the project, in the order in which they run in the sandbox. Each function takes the target's code and returns whether it passes, alone or with a message. */
    custom?: string[];
    /** Checks from installed packages (entry points `certo.verifiers`), by name or as `module:attribute`. A project's file may only give names. */
    plugins?: string[];
  };
  strength?: {
    /** After a search in an editor, while no other runs, count how many small changes of its best candidate the tests notice. Running the tests takes at most five seconds of processor time. */
    afterSearch?: boolean;
    /** Show the changes that no test notices as hints in a candidate's text, in editors that pull diagnostics. */
    hints?: boolean;
  };
  policy?: {
    /** Modules, members and builtins that a candidate may use although its file does not use them yet, such as `socket`, `os.environ` or `open`. */
    allow?: string[];
  };
  cost?: {
    /** Weight of each token added or removed. A candidate's cost is the weighted sum of this group. */
    size?: number;
    /** Weight of the target's cognitive complexity (the extra `certo[tools]`). */
    complexity?: number;
    /** Weight of each second that its tests took. */
    runtime?: number;
    /** Weight of each new finding of the linter. Above 0, a finding adds to the cost instead of refusing the candidate. */
    lint?: number;
    /** Weight of the calls on the most expensive path through the target: `llm` counts 10, `search` 5, `read` and `write` 1, and each ten times that in a loop. */
    controlFlow?: number;
    /** Weights of other calls for `cost.control_flow`: `"fetch=5"`, or `"fetch"` for 1. */
    calls?: string[];
    /** Costs from installed packages (entry points `certo.costs`) or as `module:attribute`, each with its weight: `"name=2.5"`. A project's file may only give names. */
    plugins?: string[];
  };
  sandbox?: {
    /** `auto` takes the strongest isolation that works on this machine. `bubblewrap` and `process` (Landlock and seccomp, or Seatbelt, without namespaces) require that one. A project's file may not choose `process`. */
    isolation?: "auto" | "bubblewrap" | "process";
    /** If nothing can confine a candidate, run it anyway instead of refusing. A project's file may not turn this on. */
    allowUnsandboxed?: boolean;
    /** Runs at the same time. Not set: one for each processor, less one of three or more while an editor is attached. */
    slots?: number | null;
    /** The most memory that one run may use, in MiB. */
    memoryMebibytes?: number;
    /** The most processes that one run may have at the same time. */
    processes?: number;
    /** The largest file that a run may write, in MiB. */
    fileMebibytes?: number;
    /** The most output that a run may print, in MiB. */
    outputMebibytes?: number;
  };
  executor?: {
    /** An executor from an installed package (entry points `certo.executors`), by name or as `module:attribute`, instead of the sandbox of this machine. Not allowed in a project's file. */
    plugin?: string;
    /** The address of a dask scheduler, such as `tcp://host:8786`, whose workers run candidates and tests. Not set: they run on this machine. Not allowed in a project's file. */
    cluster?: string | null;
    /** For a scheduler with TLS: the PEM file with the certificates to trust. Not allowed in a project's file. */
    tlsCa?: string | null;
    /** For a scheduler with TLS: the PEM file with certo's own certificate. Not allowed in a project's file. */
    tlsCert?: string | null;
    /** For a scheduler with TLS: the PEM file with the key of that certificate. Not allowed in a project's file. */
    tlsKey?: string | null;
  };
  journal?: {
    /** Keep the events of searches on this machine, so that a restart loses none of them. */
    enabled?: boolean;
    /** Also keep the prompts for language models and their answers. */
    prompts?: boolean;
    /** Days for which a search is kept. */
    days?: number;
  };
  experiments?: {
    /** The candidates that are kept as commits next to your repository, for `certo searches checkout`: `never` keeps none, `passed` those that passed, `all` every judged one. */
    keep?: "never" | "passed" | "all";
  };
  editor?: {
    /** Show the score of the best candidate as an inlay hint at its function, from the next search on. */
    inlayHints?: boolean;
    /** Ask what to do with the result of a search, in editors that can ask. Not set: do not ask in editors that take what you are typing for the answer (Neovim, Vim, Emacs, Helix). */
    askWhenDone?: boolean | null;
  };
  ambient?: {
    /** When you save, run the tests of the functions that changed, and repair in the background what fails. A verified fix is offered by a code lens, a code action and a hint; nothing else is said. Not on battery, never with a language model. Not allowed in a project's file. */
    enabled?: boolean;
    /** Processor seconds a minute that these runs may take. What ten minutes leave unused is saved up, so that a repair need not wait. With the default, they take at most 5 % of one processor core on average. Not allowed in a project's file. */
    secondsPerMinute?: number;
    /** When you save and the tests of a changed function pass, compare what it does with the last commit. A code lens says so if calls give other results. Part of what `ambient.enabled` begins. Not allowed in a project's file. */
    compare?: boolean;
  };
  criteria?: Record<string, {
    /** A criterion of your own, under a name of your own: what you require, in plain words. */
    expression: string;
    /** `gate` refuses a candidate that does not fulfil the criterion. `score` and `cost` ask for a number by which candidates are compared: higher is better for a score, lower for a cost. `off` leaves the criterion out. */
    kind?: "gate" | "score" | "cost" | "off";
    /** How often the model is asked about one candidate; all at once. */
    samples?: number;
    /** The fewest usable answers that decide. */
    minSamples?: number;
    /** For a gate: the fewest answers in favour with which a candidate passes. */
    minPass?: number;
    /** For numbers: how several answers become one: their average, median, minimum or maximum. */
    aggregation?: "avg" | "med" | "min" | "max";
    /** For numbers: the lowest that the model may give. */
    minimum?: number;
    /** For numbers: the highest that the model may give. */
    maximum?: number;
    /** For numbers: the changed tokens that one point is worth. */
    weight?: number;
    /** The texts that the judging model is shown of a candidate: `code` is the target alone, `diff` the change, `file` the whole file, `instruction` your request. */
    sees?: ("code" | "diff" | "file" | "instruction")[];
    /** The language model that judges, by its name in the settings. Empty: the default model. */
    model?: string;
  }>;
  model?: {
    /** The language model, as `provider:model`: `openai:gpt-5-mini`, `anthropic:claude-sonnet-4-5`, `ollama:qwen3`. Empty: none. */
    name?: string;
    /** The address of a server other than the provider's own, such as `http://127.0.0.1:8080/v1`. Not allowed in a project's file. */
    baseUrl?: string | null;
    /** The name of the model's key in the environment, the editor's secret storage and the keyring; never the key itself. Not set: the provider's usual name at its own address, none elsewhere. Not allowed in a project's file. */
    keyVariable?: string | null;
    /** For Azure: the dated version of its API. Not allowed in a project's file. */
    apiVersion?: string | null;
    /** The sampling temperature, unless certo chooses one. Not set: the server's default. */
    temperature?: number | null;
    /** The most tokens of one answer, thinking included, unless certo chooses. Not set: 4096. */
    maxTokens?: number | null;
    /** Seconds that one call may take. */
    seconds?: number;
    /** Seconds without any part of an answer after which a call fails; the wait for its first word counts too. */
    stallSeconds?: number;
    /** Attempts for one answer, the first included. certo tries again if a failure may be temporary. */
    tries?: number;
    /** Calls to the provider at the same time. certo makes fewer while the provider reports too many requests. */
    maxConcurrency?: number;
    /** Calls to the provider that may begin in one minute. Not set: no limit. */
    requestsPerMinute?: number | null;
    /** Tokens that may be sent to the provider and requested from it in one minute. Not set: no limit. */
    tokensPerMinute?: number | null;
    /** The model's price in dollars for a million tokens that it reads. Not set: the provider's list price. Not allowed in a project's file. */
    inputDollars?: number | null;
    /** The price in dollars for a million tokens that the provider has read before. Not allowed in a project's file. */
    cachedDollars?: number | null;
    /** The price in dollars for a million tokens that the model writes. Not allowed in a project's file. */
    outputDollars?: number | null;
    /** Keep answers in the user's cache directory, and use them again if the same is asked again. */
    cache?: boolean;
  };
  models?: Record<string, {
    /** As `model.name`, for this model. */
    name?: string;
    /** As `model.base_url`, for this model. */
    baseUrl?: string | null;
    /** As `model.key_variable`, for this model. */
    keyVariable?: string | null;
    /** As `model.api_version`, for this model. */
    apiVersion?: string | null;
    /** As `model.temperature`, for this model. */
    temperature?: number | null;
    /** As `model.max_tokens`, for this model. */
    maxTokens?: number | null;
    /** As `model.seconds`, for this model. */
    seconds?: number;
    /** As `model.stall_seconds`, for this model. */
    stallSeconds?: number;
    /** As `model.tries`, for this model. */
    tries?: number;
    /** As `model.max_concurrency`, for this model. */
    maxConcurrency?: number;
    /** As `model.requests_per_minute`, for this model. */
    requestsPerMinute?: number | null;
    /** As `model.tokens_per_minute`, for this model. */
    tokensPerMinute?: number | null;
    /** As `model.input_dollars`, for this model. */
    inputDollars?: number | null;
    /** As `model.cached_dollars`, for this model. */
    cachedDollars?: number | null;
    /** As `model.output_dollars`, for this model. */
    outputDollars?: number | null;
    /** As `model.cache`, for this model. */
    cache?: boolean;
  }>;
}

/**
 * The content of a digest: a function, the outcome, each verifier's ruling, and hashes of the files.
 *
 * `texts` are the files of the code, that of the function first, and `tests` those of its tests, by their paths relative to `root`, each with the SHA-256 of its content. `at` is the time in UTC.
 */
export interface SignedVerdict {
  root: string;
  path: string;
  qualname: string;
  outcome: string;
  verified: boolean;
  rulings: Record<string, string>;
  texts: Record<string, string>;
  tests: Record<string, string>;
  at: string;
  version: string;
}

/** A half-open stretch of a text in code points from its start. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The factor by which a candidate is faster, with bounds of 99 % confidence each.
 *
 * `ratio` is the median over `rounds`, each a process of its own; `control` that of the original to a copy of itself. The calls have arguments `scale` times as large as those known of the function; on calls of their own size the ratio is `observed`, null if that is what was measured. `growth` is null if only one size could be measured.
 */
export interface Speed {
  ratio: number;
  low: number;
  high: number;
  control: number;
  rounds: number;
  scale: number;
  observed: number | null;
  growth: Growth | null;
}

/** The speed of a candidate was measured, as far as it takes to decide whether it is faster. */
export interface SpeedMeasured {
  type: "speed.measured";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  speed: Speed;
}

/** The spending of a search so far; `dollars` is null if a price is unknown. Some `tokens` came from caches. */
export interface Spent {
  candidates: number;
  seconds: number;
  calls: number;
  tokens: number;
  dollars: number | null;
  cachedTokens?: number;
}

/** The numbers a criterion gave, on a scale from `low` to `high`; `fallback` says that they were too few. */
export interface Spread {
  criterion: string;
  values: number[];
  aggregate: number;
  low: number;
  high: number;
  fallback: boolean;
}

/**
 * The comparison of a candidate that passed with the others: it is in `group`, from 1 for the likeliest.
 *
 * Of the `compared` votes, `agreeing` are for that group, and `backed` with those for others that give the same wherever both answer. A candidate has a vote for each time it was written independently. One that behaves differently from the best is its rival: `difference` is a call with its result, `ours`, and that of the best, `theirs`. `observations` are its results for the calls that tell all groups apart; they are `unusual` if none like those of the tests does. If it could not be compared, `uncompared` says why. `alike` is how many others its own generator found that behave like it, null if it does not know.
 */
export interface Standing {
  agreeing?: number;
  rivalOf?: string | null;
  difference?: Difference | null;
  observations?: Observation[];
  uncompared?: string;
  group?: number;
  backed?: number;
  compared?: number;
  unusual?: boolean;
  alike?: number | null;
}

/** A request to generate; `key` is the client's own name for it, so that it can be sent again without harm. */
export interface StartParams {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
  instruction?: string;
  range?: Range | null;
  settings?: Record<string, unknown> | null;
  background?: boolean;
  ask?: "instruction" | null;
  goal?: "faster" | null;
  preserve?: boolean;
  testsFirst?: boolean;
  key: string;
}

/**
 * The search that is about the wish now; `resumed` says that it was there already.
 *
 * `sentence` is for the user, where the wish was about a test: which function is to blame for it.
 */
export interface StartResult {
  searchId: string;
  resumed: boolean;
  state: "running" | "stopped";
  base: Base;
  sentence?: string;
}

/** Nothing: how the daemon stands. */
export interface StatusParams {
}

/**
 * The state of the daemon: its version, `instance` and age in seconds, its searches, and the configured models.
 *
 * `version` is that of certo, `protocol` the one agreed upon, `python` that of the daemon.
 */
export interface StatusResult {
  version: string;
  protocol: number;
  python: string;
  instance: string;
  seconds: number;
  searches: number;
  running: number;
  models: Fact[];
}

/** It was measured, after the search, how many small changes of a candidate its tests notice. */
export interface StrengthMeasured {
  type: "strength.measured";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  strength: TestStrength;
}

/** The function whose tests are measured. */
export interface StrengthParams {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
}

/** So many small changes of a candidate, `done` of those to be tried, have run on the tests, after its search. */
export interface StrengthProgressed {
  type: "strength.progress";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  done: number;
  of: number;
}

/** The strength of the tests of a function in its current text; `seconds` is the wall time it took. */
export interface StrengthResult {
  root: string;
  path: string;
  qualname: string;
  line: number;
  strength: TestStrength;
  seconds: number;
}

/** A call whose result looks wrong, and why; a test of it has a doubt. */
export interface SuspiciousCall {
  call: string;
  result: string;
  why: string;
}

/**
 * The numbers of tests that really ran, how they were confined, and why in fresh processes, if that is slower.
 *
 * Of the tests of the baseline that the verifier runs, `failing` failed and `unrun` were skipped or did not run; the others passed.
 */
export interface TestEvidence {
  collected: number;
  ran: number;
  passed: number;
  failed: number;
  skipped: number;
  newlyPassing: number;
  seconds: number;
  touched: boolean | null;
  isolation: string;
  cold: string;
  failing?: string[];
  unrun?: string[];
}

/**
 * The number of small changes of the function that the tests notice: `noticed` of those `of` which count.
 *
 * A change counts if a test notices it, or a call is known that shows it. Of the noticed ones, `endless` made a test hang or ended its process. The others have a gap each. `uncounted` further changes went unnoticed and made no difference on `calls` calls, which are 0 if certo could make none; `unsettled` of these were not compared to the end. `tried` of `possible` changes ran on `tests` tests within the budget. `reason` says why nothing was measured, `withoutCalls` why certo could make no call.
 */
export interface TestStrength {
  noticed: number;
  of: number;
  endless?: number;
  gaps?: Gap[];
  uncounted?: number;
  unsettled?: number;
  calls?: number;
  tried?: number;
  possible?: number;
  tests?: number;
  unused?: UnusedTest[];
  reason?: string;
  withoutCalls?: string;
}

/**
 * The function that tests are written for, by a command that offers them as one edit.
 *
 * With `wait` it answers once the user has decided: `accepted`, or `dismissed` if nothing was added. Then a tick says that a test is right, and none is set at first. The tests are held against the revision `against`, if one is named. With `model`, the default language model proposes further tests.
 */
export interface TestsArguments {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
  wait?: boolean;
  against?: string;
  model?: boolean;
}

/**
 * The function that tests are written for; they are held against the revision `against`, if one is named.
 *
 * With `model`, the default language model proposes further tests.
 */
export interface TestsParams {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
  against?: string;
  model?: boolean;
}

/** Replace what stands at `span` by `replacement`. */
export interface TextEdit {
  span: Span;
  replacement: string;
}

/** A traceback, by a command that repairs what it is about; the files are those below the client's folders. */
export interface TracebackArguments {
  v?: 1;
  traceback: string;
}

/** A test that judged no change, and why. */
export interface UnusedTest {
  id: string;
  why: string;
}

/**
 * The verdict of one verifier on one candidate; `seconds` is its wall time.
 *
 * `remembered` means that the verdict is an earlier search's, and that nothing ran now. `cheated` means that the candidate was seen to tamper with how it is judged. `dependence` is there if wrong versions of the target were tried, `speed` if it was measured.
 */
export interface Verdict {
  verifier: string;
  ruling: "passed" | "failed" | "undecided";
  findings: Finding[];
  seconds: number;
  tests: TestEvidence | null;
  assurance: string;
  votes: Votes | null;
  remembered?: boolean;
  cheated?: boolean;
  dependence?: Dependence | null;
  speed?: Speed | null;
}

/** A verifier said what it thinks of a candidate. */
export interface VerdictReached {
  type: "verdict";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  verdict: Verdict;
}

/** A verifier began to judge a candidate. */
export interface VerifierStarted {
  type: "verifier.started";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  verifier: string;
}

/** The function to judge as it stands. */
export interface VerifyParams {
  v?: 1;
  uri: string;
  version?: number | null;
  position?: Place | null;
  line?: number | null;
  qualname?: string | null;
}

/**
 * The agreement of a function with the version `older`: on `compared` calls but for the `differences`.
 *
 * If nothing was compared, `reason` says why.
 */
export interface VersionAgreement {
  older: string;
  compared?: number;
  differences?: DifferingCall[];
  reason?: string;
}

/** One of the language model's answers by a criterion: yes or no, or a number; null when it was of no use. */
export interface VoteCast {
  type: "vote";
  seq: number;
  search: string;
  at: number;
  candidateId: string;
  criterion: string;
  number: number;
  value: boolean | number | null;
  reason: string;
}

/** The votes on a candidate: `asked` at most, `valid` usable, `passed` in favour, `needed` in favour to pass. */
export interface Votes {
  passed: number;
  valid: number;
  asked: number;
  needed: number;
}

/** The candidate a search ends with; `source` is the whole new file, `elsewhere` what it changes besides that. */
export interface Winner {
  candidateId: string;
  diff: string;
  source: string;
  evidence: Report;
  cost: Cost;
  elsewhere?: FileChange[];
}

/**
 * A test that certo wrote: what pytest calls it, and its text.
 *
 * It states that `call` gives `result`, which is what the function does today. It `notices` so many small changes that no test before it noticed, on these 1-based `lines`, and executes `branches` that none executed. For a property, `call` is the relation, which `held` on so many calls, and `notices` counts all changes that it notices. A test with a `doubt` may state what is wrong; it is added only if the user names or ticks it. The `author` is the language model that proposed it, if any.
 */
export interface WrittenTest {
  id: string;
  name: string;
  source: string;
  call: string;
  result: string;
  notices: number;
  lines?: number[];
  branches?: string[];
  held?: number;
  doubt?: string;
  author?: string;
}

/**
 * The tests written for a function, for the file at `path`, relative to the root; `isNew` if there is none yet.
 *
 * Of `mutants` small changes the function's tests noticed `noticedBefore`, with these `noticedAfter`; of `branches` they executed `executedBefore`, with these `executedAfter`. `calls` were made to choose them. `rejected` are tests that did not pass the filter. `reason` says why there is no test. `agreement` is there if a revision was named.
 */
export interface WrittenTests {
  path?: string;
  isNew?: boolean;
  tests?: WrittenTest[];
  suspicious?: SuspiciousCall[];
  rejected?: string[];
  mutants?: number;
  noticedBefore?: number;
  noticedAfter?: number;
  branches?: number;
  executedBefore?: number;
  executedAfter?: number;
  calls?: number;
  reason?: string;
  agreement?: VersionAgreement | null;
}
