// The messages to and from a model, in order; built from the log, and extended as the log is.
// Messages are made once and never changed, so that a wire can keep what it wrote for each.
import type { Outcome, Reply, SessionEvent, WantedCall } from '@codelab/protocol';
import { cutMessage, cutResult, tokensOf } from './compaction/cut-message.ts';
import type { ModelMessage } from './model.ts';
import { Repeats } from './repeats.ts';
import { attachedFiles, noteAfter, noteOnFiles, resultImages, resultText } from './tool-results.ts';

/** `seq` is the log entry a message comes from; results have that of the reply that requested them. */
type Entry = { seq: number; message: ModelMessage };

const maxIdChars = 160;
/** A comparison of fewer tokens says nothing about how a provider counts. */
const leastCompared = 300;

export class Conversation {
  /** The call of the sub-agent; undefined for the session's own agent. */
  readonly agent: string | undefined;
  /** Ids of the session's calls. A sub-agent shares them with the agent above it, whose next calls may already be requested. */
  readonly usedIds: Set<string>;
  readonly describeOutcome: (outcome: Outcome) => string;
  #entries: Entry[] = [];
  #messages: ModelMessage[] | undefined;
  #modelCalls = new Map<string, WantedCall>();
  #results = new Map<string, ModelMessage>();
  readonly #repeats = new Repeats();
  /** Calls of people that the model has been informed of. */
  readonly describedCalls = new Set<string>();
  /** Notes for the model once the calls of its last reply have their results. */
  #notes: string[] = [];
  #pinned = new Set<string>();
  #turn = 0;
  #isTurnOpen = false;
  #isAttended = false;
  #lastSeq = 0;
  #lastTokens = 0;
  #tokensSince = 0;
  #allTokens = 0;
  #scale = 1;
  #stepsSinceSummary = Number.POSITIVE_INFINITY;

  constructor(describeOutcome: (outcome: Outcome) => string, agent?: string, usedIds = new Set<string>()) {
    this.describeOutcome = describeOutcome;
    this.usedIds = usedIds;
    this.agent = agent;
  }

  get messages(): readonly ModelMessage[] {
    this.#messages ??= this.#entries.map(({ message }) => message);
    return this.#messages;
  }

  get entries(): readonly Readonly<Entry>[] {
    return this.#entries;
  }

  /** The number of the latest turn. */
  get turn(): number {
    return this.#turn;
  }

  get isTurnOpen(): boolean {
    return this.#isTurnOpen;
  }

  /** A person was at the session when the latest turn began. */
  get isAttended(): boolean {
    return this.#isAttended;
  }

  /** The call that this turn has repeated too often. */
  get stuck(): Repeats['stuck'] {
    return this.#repeats.stuck;
  }

  get pinned(): ReadonlySet<string> {
    return this.#pinned;
  }

  /** Calls of the last reply that have no result yet. */
  get open(): WantedCall[] {
    return [...this.#modelCalls.values()].filter(({ id }) => !this.#results.has(id));
  }

  /** Estimated tokens of the next request: the provider's last count plus what was added since; `fixed` is the prefix. */
  tokensWith(fixed: number): number {
    // A provider that counts far less than was sent has silently cut the request: then our own estimate is used.
    const estimated = (fixed + this.#allTokens) * this.#scale;
    const countedTokens = this.#lastTokens + this.#tokensSince * this.#scale;
    return this.#lastTokens === 0 || countedTokens * 4 < estimated ? estimated : countedTokens;
  }

  /** Estimated tokens of the messages, whatever a provider counted. */
  get ownTokens(): number {
    return this.#allTokens;
  }

  /** Called with a provider's count: if it is higher than our estimate of what is new, later estimates are scaled up. */
  correct(countedTokens: number, fixed: number): void {
    const isFirst = this.#lastTokens === 0;
    const real = isFirst ? countedTokens : countedTokens - this.#lastTokens;
    const estimated = isFirst ? fixed + this.#allTokens : this.#tokensSince;
    if (estimated < leastCompared) return;
    this.#scale = Math.min(4, Math.max(1, real / estimated, this.#scale * 0.9));
  }

  /** Number of replies since the model's last summary. */
  get stepsSinceSummary(): number {
    return this.#stepsSinceSummary;
  }

  /** Estimated tokens of the messages if each were cut to so many characters. */
  tokensIfCutTo(maxChars: number): number {
    return this.#entries.reduce((sum, { message }) => sum + tokensOf(cutMessage(message, maxChars)), 0);
  }

  /** An id that no call of the session has had; models start counting from one in every reply. */
  uniqueId(modelId: string): string {
    // The id of a sub-agent's call begins with the call that started the sub-agent, so that its owner is visible.
    const prefixed = this.agent === undefined ? modelId : `${this.agent}.${modelId}`.slice(0, maxIdChars);
    for (let n = 0; ; n++) {
      const id = n === 0 ? prefixed : `${prefixed}.${this.#turn}.${n}`;
      if (this.usedIds.has(id)) continue;
      this.usedIds.add(id);
      return id;
    }
  }

  /** An event that was already applied changes nothing. */
  apply({ seq, body }: SessionEvent): void {
    if (body.type === 'call.received') this.usedIds.add(body.call.id);
    if (body.type === 'call.finished' && this.addOutcome(body.outcome) === undefined)
      this.#noteChange(seq, body);
    if (body.type === 'context.changed' && this.agent === undefined) this.#changeContext(body);
    if (!('turn' in body) || !('agent' in body || this.agent === undefined) || body.type === 'call.finished')
      return;
    if (body.agent !== this.agent || seq <= this.#lastSeq) return;
    this.#lastSeq = seq;
    if (body.type === 'turn.started') this.#startTurn(seq, body);
    else if (body.type === 'turn.steered') this.#addSaid(seq, body);
    else if (body.type === 'model.replied') this.#addReply(seq, body.reply);
    else if (body.type === 'turn.ended') this.#isTurnOpen = false;
    else if (body.type === 'context.compacted') this.#compact(body);
  }

  /** The text for the model; undefined when the outcome belongs to no call of this conversation. */
  addOutcome(outcome: Outcome): string | undefined {
    const modelCall = this.#modelCalls.get(outcome.callId);
    if (modelCall === undefined || this.#results.has(outcome.callId)) return undefined;
    const isError = outcome.status !== 'completed';
    const { tool, args } = modelCall;
    const outcomeText = this.describeOutcome(outcome);
    const hint = this.#repeats.note({ tool, args, isError, text: outcomeText });
    const text = resultText({ outcome, modelCall, outcomeText, hint });
    const images = resultImages(outcome);
    const result = { role: 'tool' as const, callId: modelCall.id, tool, text, isError };
    this.#results.set(modelCall.id, images.length === 0 ? result : { ...result, images });
    if (this.open.length === 0) this.#closeReply();
    return text;
  }

  #startTurn(seq: number, body: Started): void {
    this.#turn = body.turn;
    this.#isAttended = body.attended === true;
    this.#isTurnOpen = true;
    this.#repeats.clear();
    if (body.again !== true) this.#addSaid(seq, body);
    // A last message of any other role is answered as it is.
    else if (this.#entries.at(-1)?.message.role === 'assistant')
      this.#add(seq, { role: 'user', text: 'Continue where you stopped.' });
  }

  #addSaid(seq: number, { text, files, images }: Pick<Started, 'text' | 'files' | 'images'>): void {
    this.#add(seq, { role: 'user', text: text + attachedFiles(files), ...(images && { images }) });
  }

  /** Notes a person's undo, redo or discard: the model must not rely on its knowledge of those files. */
  #noteChange(seq: number, { turn, outcome }: { turn?: number | undefined; outcome: Outcome }): void {
    const note = turn === undefined && this.agent === undefined ? noteOnFiles(outcome) : undefined;
    if (note === undefined || this.describedCalls.has(outcome.callId)) return;
    this.describedCalls.add(outcome.callId);
    this.#notes.push(note);
    if (this.open.length === 0) this.#addNotes(seq);
  }

  #addNotes(seq: number): void {
    for (const text of this.#notes.splice(0)) this.#add(seq, { role: 'user', text });
  }

  #addReply(seq: number, reply: Reply): void {
    this.#modelCalls = new Map(reply.calls.map((call) => [call.id, call]));
    this.#results.clear();
    this.#stepsSinceSummary++;
    for (const { id } of reply.calls) this.usedIds.add(id);
    // Providers refuse a message without content.
    if (reply.text.trim() !== '' || reply.calls.length > 0) this.#add(seq, { role: 'assistant', reply });
    const note = noteAfter(reply);
    if (note !== undefined) this.#add(seq, { role: 'user', text: note });
    const { inputTokens, outputTokens } = reply.usage;
    if (inputTokens > 0) {
      this.#lastTokens = inputTokens + outputTokens;
      this.#tokensSince = 0;
    }
  }

  // Results are added in the order of the calls, whatever order they arrived in.
  #closeReply(): void {
    const seq = this.#entries.at(-1)?.seq ?? 0;
    for (const id of this.#modelCalls.keys()) {
      const result = this.#results.get(id);
      if (result !== undefined) this.#add(seq, result);
    }
    this.#addNotes(seq);
  }

  #add(seq: number, message: ModelMessage): void {
    this.#entries.push({ seq, message });
    this.#messages?.push(message);
    const tokens = tokensOf(message);
    this.#tokensSince += tokens;
    this.#allTokens += tokens;
  }

  #compact({ through, summary, most, results, by }: Compacted): void {
    const later = this.#entries.filter(({ seq }) => seq > through);
    if (summary === undefined) {
      const older = this.#entries.filter(({ seq }) => seq <= through);
      const cut = (message: ModelMessage): ModelMessage =>
        most === undefined ? cutResult(message, results) : cutMessage(message, most);
      this.#entries = [...older.map(({ seq, message }) => ({ seq, message: cut(message) })), ...later];
    } else this.#entries = [{ seq: through, message: { role: 'user', text: summary } }, ...later];
    if (summary !== undefined && by === 'model') this.#stepsSinceSummary = 0;
    this.#messages = undefined;
    this.#lastTokens = 0;
    this.#allTokens = this.#entries.reduce((sum, { message }) => sum + tokensOf(message), 0);
    this.#tokensSince = this.#allTokens;
  }

  #changeContext({ op, path }: Body<'context.changed'>): void {
    if (op === 'clear') this.#pinned = new Set();
    else if (path !== undefined && op === 'add_file') this.#pinned.add(path);
    else if (path !== undefined) this.#pinned.delete(path);
  }
}

type Body<T> = Extract<SessionEvent['body'], { type: T }>;
type Started = Body<'turn.started'>;
type Compacted = Body<'context.compacted'>;
