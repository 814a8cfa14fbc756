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
  "certo/estimate": { params: EstimateParams; result: EstimateResult; refusal: Failure };
  "certo/environment": { params: EnvironmentParams; result: EnvironmentResult; refusal: Failure };
  "certo/status": { params: StatusParams; result: StatusResult; refusal: Failure };
  "certo/candidate/get": { params: CandidateGetParams; result: CandidateGetResult; refusal: Failure };
  "certo/candidate/apply": { params: ApplyParams; result: ApplyResult; refusal: Failure };
  "certo/candidate/rebase": { params: RebaseParams; result: RebaseResult; refusal: Failure };
  "certo/candidate/edited": { params: EditedParams; result: EditedResult; refusal: Failure };
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
  "certo.cancel": { argument: SearchArguments; answer: CommandAnswer };
  "certo.accept": { argument: CandidateArguments; answer: CommandAnswer };
  "certo.retry": { argument: RetryArguments; answer: CommandAnswer };
  "certo.showDiff": { argument: CandidateArguments; answer: CommandAnswer };
  "certo.dismiss": { argument: SearchArguments; answer: CommandAnswer };
  "certo.next": { argument: SearchArguments; answer: CommandAnswer };
}

/** Where a daemon listens; `tokenFile` is null when its user has given the token, which stands nowhere then. */
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

/** What the server puts into `experimental` of its capabilities. */
export interface Agreement {
  certo: Agreed;
}

/** The line that a daemon on sockets prints for each. */
export interface Announcement {
  certo: Address;
}

/** Any event, told apart by its `type`. */
export type AnyEvent = SearchPreparing | SearchResumed | SearchStarted | IdeaAdded | IdeaDropped | CandidateDrafted | CandidateWritten | CandidateDeclined | CandidateRepeated | CandidateProposed | VerifierStarted | VoteCast | VerdictReached | CandidateScored | CandidateRanked | CandidateCompared | BestImproved | GeneratorReported | BudgetSpent | SearchStopped;

/**
 * Which candidate to apply: all of it, or the hunks of these numbers.
 *
 * With `version` only to that version of the document.
 */
export interface ApplyParams {
  searchId: string;
  candidateId: string;
  hunks?: number[] | null;
  version?: number | null;
}

/**
 * What became of it, once the editor has applied or refused the edit.
 *
 * `candidateId` is that of what was applied, which is another candidate when the text had changed, or when it was some hunks only. `version` is the document's with the candidate in it, null when the editor has sent none. `reason` says why it was not applied, or why it is not `verified` though it was. `report` is about exactly the text that was to be applied; null when there was none.
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

/** What a client puts into `experimental` of its capabilities, or into its initialization options. */
export interface Asking {
  certo: Asked;
}

/** Which search, the number of the last event the client has, and the token under which it wants the others. */
export interface AttachParams {
  searchId: string;
  fromSeq?: number;
  partialResultToken?: number | string | null;
}

/** The end of an attachment: the number of the last event, and the events that went out under no token. */
export interface AttachResult {
  events: (SearchPreparing | SearchResumed | SearchStarted | IdeaAdded | IdeaDropped | CandidateDrafted | CandidateWritten | CandidateDeclined | CandidateRepeated | CandidateProposed | VerifierStarted | VoteCast | VerdictReached | CandidateScored | CandidateRanked | CandidateCompared | BestImproved | GeneratorReported | BudgetSpent | SearchStopped)[];
  lastSeq: number;
  state: "running" | "stopped";
}

/** The text a search began with: the SHA-256 of its UTF-8 form, and the version of the open document that has it. */
export interface Base {
  version: number | null;
  sha256: string;
}

/**
 * How the tests stand before any candidate: those that count, those set aside, and what the user should read.
 *
 * `policy` is what they, and so candidates, are allowed besides computing; `needs` says why it is not the strictest. Those of the `whole` suite need not reach the target.
 */
export interface Baseline {
  tests: KnownTest[];
  setAside: KnownTest[];
  problems: string[];
  policy: "strict" | "forking" | "subprocess" | "loopback";
  needs: string;
  whole?: boolean;
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

/** What a search may spend; null is as much as it likes. */
export interface Budget {
  candidates: number;
  seconds: number;
  calls: number | null;
  tokens: number | null;
  dollars: number | null;
}

/** What has been spent of the budget so far. */
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

/** Which candidate of which search; the one that is shown, when none is named. */
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

/** Which candidate, and which parts of it are wanted. */
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

/**
 * What a command answers: how things stand now. What does not apply is left out.
 *
 * Where `state` is `failed`, `error` is a sentence about it, and `name` what the table of errors calls it.
 */
export interface CommandAnswer {
  state: "running" | "locating" | "cancelled" | "stopped" | "accepting" | "accepted" | "shown" | "dismissed" | "failed";
  searchId?: string | null;
  candidateId?: string | null;
  error?: string | null;
  name?: string | null;
}

/** Which two candidates to compare. */
export interface CompareParams {
  searchId: string;
  candidateId: string;
  otherId: string;
}

/**
 * The plainest call that was found for which the candidates answer otherwise.
 *
 * `tried` is how many calls were made of both. `reason` says why there is no difference to show; it is empty where there is one.
 */
export interface CompareResult {
  difference: Difference | null;
  tried: number;
  reason: string;
}

/** Where both the user and the candidate changed the same lines: the place in the user's text, and both sides. */
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

/** What is said of a function as it stands. */
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
}

/**
 * How many tests noticed a wrong version of the target, and the ids of those that noticed none.
 *
 * `reason` says why nothing is verified; it is empty where some test depends on what the target does.
 */
export interface Dependence {
  noticed: number;
  idle?: string[];
  reason?: string;
}

/** A call of the target, and what comes of it in the one candidate (`ours`) and in the other (`theirs`). */
export interface Difference {
  call: string;
  ours: string;
  theirs: string;
}

/** The whole file as the user would have it, made of the text that a candidate has for it. */
export interface EditedParams {
  searchId: string;
  candidateId: string;
  text: string;
}

/** The candidate that this is, which is another than the one it was made of, and what every verifier said of it. */
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
 * What certo finds around a document; `facts` say all of it in words, in the order to read them.
 *
 * `isolation` says how code would be confined. What there is none of is null. `settingOrigins` says of each setting that is not as shipped where it was set.
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
}

/**
 * What a search would take: `likely` when the first answer passes, and at `most`, in so many `tries`.
 *
 * `cap` names the parts of the budget that would end it before, with their values; empty when none would.
 */
export interface EstimateResult {
  models: string[];
  tries: number;
  likely: Expense;
  most: Expense;
  cap: string;
}

/** What calls of language models take; `dollars` is null when the price of one is not known. */
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

/** What the user thinks of a candidate. */
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

/** What to generate, and where, of a command that shows what comes of it. */
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
}

/** The generator has something to say about its progress. */
export interface GeneratorReported {
  type: "generator.progress";
  seq: number;
  search: string;
  at: number;
  message: string;
}

/** How a search stands: those of its candidates that passed, best first, then the others as they came. */
export interface GetResult {
  search: SearchSummary;
  candidates: RankedCandidate[];
}

/** An example of what the function has to do: a call, and the expression that it has to equal. */
export interface GivenExample {
  call: string;
  expected: string;
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
 * Which searches: those about a document or below a folder, all where neither is named.
 *
 * `cursor` is what came with the answer before.
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

/** What certo asks. `token` goes with every piece of the answer; `model` is empty for the one the user prefers. */
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

/** How the model is to choose its words; null leaves it to the editor. */
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

/** What an answer took, in tokens. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
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

/** Who proposed a candidate and how; `idea` is the number of the idea that it follows, if its search has ideas. */
export interface Origin {
  generator: string;
  note: string;
  slot: number;
  attempt: number;
  idea?: number | null;
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
 * `number` counts the candidates as they came, `judging` names the verifier at work on it, and `added` and `removed` are lines. Of the tests it owed (`tests`), `testsPassed` passed. Where it is the rival of another candidate, `difference` is a call for which it gives `ours`, and that one `theirs`. `observations` are what it gives for the calls by which it and its rivals can all be told apart. `caveat` is that of its report. As many as `agreeing` of those that passed act alike, itself included; `uncompared` says why nobody knows how it acts.
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
}

/** Which candidate to carry over to the text as it is now. */
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
 * All verdicts on one candidate, and what follows from them.
 *
 * `caveat` says why a candidate that passed is not verified, or that it is verified but was not tried apart from the tests; it is empty where nothing is to be added.
 */
export interface Report {
  candidateId: string;
  verdicts: Verdict[];
  passed: boolean;
  verified: boolean;
  caveat?: string;
}

/** Which search is to go on where it was, and what it may spend in all, as settings; what is left out stays. */
export interface ResumeParams {
  searchId: string;
  settings?: Record<string, unknown> | null;
}

/** Which search to make once more, and how, of a command that shows what comes of it. */
export interface RetryArguments {
  v?: 1;
  searchId: string;
  feedback?: string;
  example?: GivenExample | string | null;
  candidateId?: string | null;
  instruction?: string | null;
  settings?: Record<string, unknown> | null;
}

/** Which search to make once more, and how; `key` is as in the params of `certo/search/start`. */
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

/** What a verifier said of a candidate, in a word. */
export interface Ruled {
  verifier: string;
  ruling: "passed" | "failed" | "undecided";
}

/**
 * A number by which a search steers, of candidates that passed and of others; more is better where `maximize`.
 *
 * `metrics` are further numbers that an evaluator of the user's gave with it, by their names.
 */
export interface Score {
  value: number;
  unit: string;
  source: string;
  maximize: boolean;
  metrics?: Record<string, number>;
}

/** Which search. */
export interface SearchArguments {
  v?: 1;
  searchId: string;
}

/** Which search. */
export interface SearchParams {
  searchId: string;
}

/** What is being done before the problem is stated. */
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

/** The problem is stated and the search begins; `path` is relative to `root`, `line` is 1-based. */
export interface SearchStarted {
  type: "search.started";
  seq: number;
  search: string;
  at: number;
  root: string;
  path: string;
  qualname: string;
  line: number;
  goal: "implement" | "repair" | "rewrite";
  generator: string;
  strategy: string;
  verifiers: string[];
  budget: Budget;
  baseline: Baseline;
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
 * How a search stands, in short. `outcome` is null while it runs, `best` while no candidate has passed.
 *
 * `line` is where its function began in the base text, from 1; `lastSeq` the number of its last event.
 */
export interface SearchSummary {
  searchId: string;
  state: "running" | "stopped";
  outcome: "solved" | "unverified" | "nothing-to-fix" | "nothing-to-go-by" | "exhausted" | "attempts-spent" | "budget-spent" | "cancelled" | "interrupted" | "refused" | "world-broken" | "broken" | null;
  sentence: string;
  uri: string;
  qualname: string;
  line: number;
  instruction: string;
  background: boolean;
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

/** The settings, as an editor writes them. */
export interface Settings {
  /** The Python that runs the project's code: a program, or an environment's directory. Not set: certo looks for the project's own. Not allowed in a project's file. */
  interpreter?: string | null;
  search?: {
    /** Decides what to try next: `auto`, `retry`, `best_of` and `mcts` need nothing of a generator; `linear_search`, `llm_tree_search` and `fixer` make the most of a language model. */
    strategy?: string;
    /** Proposes the candidates: `builtin` needs no model, no account and no network; `model` has a language model write them. */
    generator?: string;
    /** What a candidate may change: `function` is the one function it is about, `files` other Python files of the project as well, though never its tests; then all tests of the project judge it, not only those that reach the function. The built-in generator changes one function in any case. */
    scope?: "function" | "files";
    /** How many candidates one search may judge. */
    candidates?: number;
    /** How long one search may take, preparation included. */
    seconds?: number;
    /** How many calls of language models one search may make; a project's file may choose no more than as shipped. */
    calls?: number | null;
    /** How many tokens one search may have language models read and write. Not set: not limited. */
    tokens?: number | null;
    /** How many dollars one search may cost. Not set: not limited. A model whose price is not known is not asked then. */
    dollars?: number | null;
    /** A strategy that compares candidates by their scores goes on until one that passes has this score. Not set: it ends with the first that passes. */
    stopAtScore?: number | null;
    /** What scores candidates: an evaluator that an installed package brings (entry points `certo.evaluators`), by name, or as `module:attribute`, which a project's file may not name. Not set: the share of its checks that a candidate passed. */
    evaluator?: string;
    /** Whether more is better of what it measures. */
    maximize?: boolean;
    /** When it fails or gives no finite number: `record` says so and leaves the score unknown, `raise` ends the search. */
    evaluatorPolicy?: "record" | "raise";
    /** A file to which every question to a language model goes with its answer, as lines of JSON. Not allowed in a project's file. */
    record?: string | null;
    /** Such a file, from which the same questions are answered again, with no model and no network. Not allowed in a project's file. */
    replay?: string | null;
    /** Ask every verifier about a candidate even after one has failed it. */
    fullReport?: boolean;
    /** Make the winner smaller: changes that its checks can do without are left out, and the target is formatted by the project's ruff. Each step is a candidate of its own, judged like any other. */
    compact?: boolean;
    /** Makes every random choice of the generator; the same seed gives the same answer, if a model keeps to it. */
    seed?: number;
  };
  auto?: {
    /** How many lanes are gone on with at once, at most 1,000; one makes the most of each call of a model, several have the answer sooner. */
    numCandidates?: number;
  };
  retry?: {
    /** How many lanes run in parallel, at most 1,000. */
    numCandidates?: number;
    /** How many tries a line has; each sees the line's own failures. */
    maxIterations?: number;
    /** Make one try alone before the lines start; it counts as the first try of each. */
    firstTry?: boolean;
    /** `first` ends with the first candidate that passes, `cheapest` compares those of every line. */
    select?: "first" | "cheapest";
    /** When comparing: a candidate that costs this or less wins at once. */
    acceptCostThreshold?: number | null;
    /** When comparing: a candidate that costs this or less is a good one. */
    compareCostThreshold?: number | null;
    /** When comparing: so many good candidates are enough; the rest is cancelled. */
    minCandidatesForComparison?: number;
  };
  bestOf?: {
    /** How many candidates are asked for at once, to take the best of them. */
    numCandidates?: number;
  };
  linearSearch?: {
    /** What those of these settings are that are not set: `MINIMAL` has 2 `code_debug_tries`, `PRODUCTION` 5. */
    preset?: "DEFAULT" | "MINIMAL" | "PRODUCTION";
    /** How often code that could not even be tried is mended. */
    codeDebugTries?: number;
    /** The language model that says what to try next. Empty: the one that writes. */
    ideaGenerationModel?: string;
    /** `best` goes on from the best experiment so far, `baseline` from the original text. */
    parentPolicy?: "best" | "baseline";
  };
  llmTreeSearch?: {
    /** What those of these settings are that are not set: few tries, many ideas refined, many experiments at once, or many ideas thought about (`MINIMAL`, `PRODUCTION`, `HEAVY_EXPERIMENTATION`, `HEAVY_THINKING`). */
    preset?: "DEFAULT" | "MINIMAL" | "PRODUCTION" | "HEAVY_EXPERIMENTATION" | "HEAVY_THINKING";
    /** How hard the model is to think about ideas, in its provider's words. */
    reasoningEffort?: string;
    /** How often code that could not even be tried is mended. */
    codeDebugTries?: number;
    /** How many ideas get new ones below them in each step; four times as many are there from the start. */
    nodeExpansionLimit?: number;
    /** How many new ideas each of them gets. */
    nodeExpansionNewChildsCount?: number;
    /** In how many rounds ideas are had, each refining the one before. */
    ideaGenerationSteps?: number;
    /** How many times as many ideas and experiments there are the first time. */
    firstExperimentFactor?: number;
    /** How many experiments run in parallel. */
    experimentationPerRun?: number;
    /** How many ideas one call may have at most. */
    perStepMaximumSolutionCount?: number;
    /** From this percentage of the budget on, only what did best so far is gone on with. */
    explorationBudgetPercent?: number;
    /** The language model that chooses among ideas. Empty: the one that writes. */
    ideaGenerationModel?: string;
    /** The language models that have ideas, all of them each time. None: the one that writes. */
    ideaGenerationEnsembleModels?: string[];
  };
  mcts?: {
    /** How many tries are under way at once. */
    nSamples?: number;
    /** How many times as many may follow the first ones. */
    maxRetries?: number;
    /** How many tries there may be in all. */
    maxCalls?: number;
    /** How long to wait before each try after the first, in seconds. */
    retryDelay?: number;
    /** How the try to go on from is chosen. */
    scoring?: "UCT" | "ThompsonSampling";
    /** For `UCT`: what a try counts for having seldom been gone on from. */
    exploration?: number;
    /** For `ThompsonSampling`: how many successes are taken for granted. */
    alpha?: number;
    /** For `ThompsonSampling`: how many failures are taken for granted. */
    beta?: number;
    /** Of equally good tries `PostOrderDFS` takes the end of a branch, `PreOrderDFS` its beginning. */
    ordering?: "PostOrderDFS" | "PreOrderDFS";
    /** Say all feedback of a branch at once, in place of a conversation. */
    feedbackInplace?: boolean;
    /** How soon a try may be gone on from in another way: it may in this, times a power of its visits. */
    widening?: number;
    /** That power. 0: always in the same number of ways. */
    wideningExponent?: number;
  };
  fixer?: {
    /** How often a candidate is mended after the first try. */
    numRounds?: number;
    /** In which words: with a critique first (`CodeFixerRCI`), or in few. */
    template?: "CodeFixerRCI" | "CodeFixerShort" | "CodeFixerTiny";
  };
  builtin?: {
    /** How long the built-in generator searches, not counting what it waits for a processor. */
    seconds?: number;
    /** How many calls and turns of loops the candidates it tries may take together. */
    steps?: number;
    /** How many edits or expressions it tries at most. */
    candidates?: number;
    /** It stops after so many different ones that pass the tests it runs for itself; they are compared, and at most five that act differently are shown. */
    plausible?: number;
  };
  scripted?: {
    /** For the generator `scripted`: a JSON file with the list of replies, each `{"source": …}` or `{"decline": …}`. Not allowed in a project's file. */
    path?: string;
  };
  generation?: {
    /** For the generator `model`: the language models that write candidates, taken in turn by the parallel lanes. None: the default one. */
    models?: string[];
    /** The temperatures they write at, from 0 to 2, taken in turn. None: the model's own. */
    temperatures?: number[];
    /** Sentences that are added to the prompt, taken in turn, so that the lanes differ. */
    hints?: string[];
    /** A directory of the project with prompts in place of certo's own (`certo prompts`). */
    prompts?: string;
    /** How much of the file and of the tests a prompt shows, in tokens each. */
    contextTokens?: number;
    /** How much a prompt shows of what the function uses elsewhere, and of its calls, in tokens. 0: none is looked for. */
    relatedTokens?: number;
    /** How much a prompt shows of what is known of the project from its files and from earlier searches (`certo memory`), in tokens. 0: nothing, and no file is read for it. */
    memoryTokens?: number;
    /** How long a prompt with all past tries may be, in tokens. */
    conversationTokens?: number;
  };
  memory?: {
    /** The language model that is asked at the end of each search what it taught about the project, the default one where this is empty; claims that quote what is not in the files are dropped. Not set: none is asked. */
    model?: string | null;
    /** What follows when no answer of it can be used: `warn` says so, `fail` has the search fail. */
    repoMemoryFailurePolicy?: "warn" | "fail";
    /** How often it is asked again then, at most 10. */
    repoMemoryMaxRetries?: number;
  };
  tests?: {
    /** How long one test may take on a processor; one that sleeps or waits for something, three times as long. */
    seconds?: number;
    /** How long the tests of one candidate may take in all, not counting what they wait for a processor. */
    totalSeconds?: number;
    /** Test files and directories to run, relative to the root. None: those that reach the target. */
    paths?: string[];
  };
  verify?: {
    /** What checks a candidate's types: `auto` is mypy or pyright where the project configures it, else ty (the extra `certo[tools]`); a name insists on that, `off` is nothing. */
    types?: "auto" | "off" | "mypy" | "pyright" | "ty";
    /** What lints a candidate: `auto` is ruff or else flake8, where the project configures it; a name insists on that, `off` is nothing. */
    lint?: "auto" | "off" | "ruff" | "flake8";
    /** How long such a tool may take over one text, on a processor; a tool that takes longer over the text as it is, is left out. */
    seconds?: number;
    /** Checks of your own, as `"module:function"` of the project, asked in this order: a function of the target's code that returns whether it passes, or that and a message. They run in the sandbox. */
    custom?: string[];
    /** Verifiers that installed packages bring (entry points `certo.verifiers`), by name, or as `module:attribute`, which a project's file may not name. */
    plugins?: string[];
  };
  policy?: {
    /** Modules a candidate may import although its file does not use them yet. */
    allow?: string[];
  };
  cost?: {
    /** The weight of the tokens added or removed. A candidate costs the sum of all these, each times its weight. */
    size?: number;
    /** The weight of the target's cognitive complexity (the extra `certo[tools]`). */
    complexity?: number;
    /** The weight of the seconds its tests took. */
    runtime?: number;
    /** The weight of each thing the linter newly finds; with more than 0 such a thing has a price, and is no longer a reason to refuse a candidate. */
    lint?: number;
    /** The weight of the calls on the longest way through the target: `llm` 10, `search` 5, `read` and `write` 1, ten times that in a loop. */
    controlFlow?: number;
    /** What other calls count for `cost.control_flow`: `"fetch=5"`, or `"fetch"` for 1. */
    calls?: string[];
    /** Costs that others bring (entry points `certo.costs`), each with its weight: `"name=2.5"`. */
    plugins?: string[];
  };
  sandbox?: {
    /** `auto` takes the strongest that works here; `bubblewrap` and `process` (Landlock and seccomp, or Seatbelt, without namespaces) insist. A project's file may not choose `process`. */
    isolation?: "auto" | "bubblewrap" | "process";
    /** Where nothing can confine a candidate, run it all the same instead of refusing. Not allowed in a project's file. */
    allowUnsandboxed?: boolean;
    /** How many runs may go on at once. Not set: as many as there are processors, less one while an editor is attached. */
    slots?: number | null;
    /** How much memory a run may use, in MiB. */
    memoryMebibytes?: number;
    /** How many processes a run may have at once. */
    processes?: number;
    /** How large a file a run may write, in MiB. */
    fileMebibytes?: number;
    /** How much a run may print, in MiB. */
    outputMebibytes?: number;
  };
  executor?: {
    /** An executor that an installed package brings (entry points `certo.executors`), by name, or as `module:attribute`, in place of the sandbox of this machine. Not allowed in a project's file. */
    plugin?: string;
    /** The address of a dask scheduler, as `tcp://host:8786`, on whose workers candidates and tests are run. Not set: on this machine. Not allowed in a project's file, and no more are the next three. */
    cluster?: string | null;
    /** For a scheduler that is reached by TLS: the file with the certificates to trust. */
    tlsCa?: string | null;
    /** For a scheduler that is reached by TLS: the file with certo's own certificate. */
    tlsCert?: string | null;
    /** For a scheduler that is reached by TLS: the file with the key of that certificate. */
    tlsKey?: string | null;
  };
  journal?: {
    /** Keep what happens in searches on this machine, so that a restart loses none of it. */
    enabled?: boolean;
    /** Keep as well what language models are asked and what they write. */
    prompts?: boolean;
    /** How long a search is kept, in days. */
    days?: number;
  };
  experiments?: {
    /** Which candidates are kept as commits beside your repository, for `certo searches checkout`: `never` one, those that `passed`, or `all` that were judged. */
    keep?: "never" | "passed" | "all";
  };
  editor?: {
    /** Show the score of the best candidate as an inlay hint at its function. Counts from the next search on. */
    inlayHints?: boolean;
    /** Ask what to do with what a search has found, in editors that can ask. Not set: not in those that take what is being typed for the answer (Neovim, Vim, Emacs, Helix). */
    askWhenDone?: boolean | null;
  };
  criteria?: Record<string, {
    /** A criterion of your own, by a name of your own: what is judged, in plain words. */
    expression: string;
    /** `gate` asks whether it holds, and lets through what it holds for; `score` and `cost` ask for a number by which candidates are compared, of which more is better or less is; `off` leaves it out. */
    kind?: "gate" | "score" | "cost" | "off";
    /** How often the model is asked about one candidate, at most 100 times; all at once. */
    samples?: number;
    /** How many of its answers have to be of use. */
    minSamples?: number;
    /** For a gate: how many of its answers have to be in favour. */
    minPass?: number;
    /** For numbers: what is made of several, their average, median, minimum or maximum. */
    aggregation?: "avg" | "med" | "min" | "max";
    /** For numbers: the least there is. */
    minimum?: number;
    /** For numbers: the most there is. */
    maximum?: number;
    /** For numbers: how many tokens of the edit one point counts as much as. */
    weight?: number;
    /** What the judge is shown of a candidate: `code` is the target alone, `diff` the change, `file` the whole file, `instruction` what you asked for. */
    sees?: ("code" | "diff" | "file" | "instruction")[];
    /** The model that judges, by the name it has in the settings. Not set: the default one. */
    model?: string;
  }>;
  model?: {
    /** The language model, as `provider:model`: `openai:gpt-5-mini`, `anthropic:claude-sonnet-4-5`, `ollama:qwen3`. Empty: none. */
    name?: string;
    /** The address of a server other than the provider's own, as `http://127.0.0.1:8080/v1`. Not allowed in a project's file. */
    baseUrl?: string | null;
    /** The name of the model's key in the environment, the editor's secret storage and the keyring; never the key itself. Not set: the provider's usual one at its own address, none elsewhere. Not allowed in a project's file. */
    keyVariable?: string | null;
    /** For Azure: the dated version of its API. Not allowed in a project's file. */
    apiVersion?: string | null;
    /** How freely the model chooses its words, where certo does not say. Not set: as the server has it. */
    temperature?: number | null;
    /** How long one answer may be, thinking included, where certo does not say. Not set: 4096. */
    maxTokens?: number | null;
    /** How long one call may take. */
    seconds?: number;
    /** How long nothing may come of an answer, its first word included. */
    stallSeconds?: number;
    /** How often a call is tried whose failure may pass. */
    tries?: number;
    /** How many calls to the provider may be under way at once; fewer when it says that it is asked too much. */
    maxConcurrency?: number;
    /** How many calls to the provider may begin in a minute. */
    requestsPerMinute?: number | null;
    /** How many tokens may be sent to the provider and asked of it in a minute. */
    tokensPerMinute?: number | null;
    /** What the model costs, for a million tokens it reads. Not set: as its provider lists it. Not allowed in a project's file, and no more are the next two. */
    inputDollars?: number | null;
    /** The same for tokens that the provider has read before. */
    cachedDollars?: number | null;
    /** The same for tokens it writes. */
    outputDollars?: number | null;
    /** Keep answers in the user's cache directory, and give them again without asking when the same is asked again. */
    cache?: boolean;
  };
  models?: Record<string, {
    /** A further language model, by a name of your own; it has the same settings as `model`. */
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

/** A half-open stretch of a text in code points from its start. */
export interface Span {
  start: number;
  end: number;
}

/** What a search has spent so far; `dollars` is null when the price of some call is not known. */
export interface Spent {
  candidates: number;
  seconds: number;
  calls: number;
  tokens: number;
  dollars: number | null;
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
 * How a candidate that passed stands among the others that did: as many as `agreeing` act alike, itself included.
 *
 * One that acts otherwise than the best is its rival, with a call for which it gives `ours`, and the best `theirs`. `observations` are what it gives for the calls by which all of them can be told apart. Where nobody knows how it acts, `uncompared` says why.
 */
export interface Standing {
  agreeing?: number;
  rivalOf?: string | null;
  difference?: Difference | null;
  observations?: Observation[];
  uncompared?: string;
}

/** What to generate, and where; `key` is the client's own name for this wish, so that it may be sent twice. */
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
 * How the daemon stands: its version, `instance` and age in seconds, its searches, and the models of the settings.
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

/**
 * What was really run, in numbers of tests, how it was confined, and why in fresh processes, if that is slower.
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

/** Replace what stands at `span` by `replacement`. */
export interface TextEdit {
  span: Span;
  replacement: string;
}

/**
 * What one verifier said about one candidate; `seconds` is the wall time it took.
 *
 * `remembered` says that an earlier search was told this, and that nothing was run for it now. `cheated` says that the candidate was seen to tamper with how it is judged. `dependence` is there when wrong versions of the target were tried.
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

/** How votes on a candidate fell: `asked` at most, `valid` of use, `passed` in its favour, `needed` to pass. */
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
