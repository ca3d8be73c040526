// The orchestrator of seed 002: asks this client's user, runs approved calls, and reports to the gateway until it has confirmed.
import { readPluginCall } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import type * as z from 'zod/mini';
import type { ToolResult } from '../api/tool-calls.ts';
import type { ApiError } from '../api-error.ts';
import type { StreamingClient } from '../streaming-client.ts';
import { type ApprovalDialogs, createApprovalDialogs, type DialogAnswer } from './approval-dialogs.ts';
import { createMemoryStore, type ExecutionStore } from './execution-store.ts';
import { createOutbox } from './outbox.ts';
import { defaultToolConfig, type ToolConfig, type ToolHandlerOptions } from './tool-config.ts';
import { failureResult, unknownOutcome } from './tool-errors.ts';
import {
  ApprovalResolved,
  callKey,
  ToolApprovalRequest,
  ToolExecutionSignal,
  ToolResultAck,
} from './tool-events.ts';
import { createToolHistory, endOf, type HistoryEntry } from './tool-history.ts';
import { comparableCall, validateToolRequest } from './validate-request.ts';
import { createWorkQueue } from './work-queue.ts';

type Active = { signal: ToolExecutionSignal; abort: AbortController };

export class ToolHandler {
  readonly #options: ToolHandlerOptions;
  readonly #config: ToolConfig;
  readonly #dialogs: ApprovalDialogs;
  readonly #queue: ReturnType<typeof createWorkQueue>;
  readonly #history: ReturnType<typeof createToolHistory>;
  readonly #store: ExecutionStore;
  readonly #active = new Map<string, Active>();
  readonly #approved = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  readonly #decisions;
  readonly #results;
  #isDisposed = false;

  constructor(options: ToolHandlerOptions) {
    this.#options = options;
    this.#config = { ...defaultToolConfig, ...options };
    this.#dialogs = createApprovalDialogs(options.ask, this.#config.approvalMs);
    this.#queue = createWorkQueue(this.#config);
    this.#history = createToolHistory(this.#config.historySize);
    this.#store = options.store ?? createMemoryStore();
    const onRefused = (_key: string, { message }: ApiError): void => options.onNotice?.(message);
    this.#decisions = createOutbox({ isKeptUntilDone: false, onRefused });
    this.#results = createOutbox({ isKeptUntilDone: true, onRefused });
  }

  get pendingApprovals(): readonly ToolApprovalRequest[] {
    return this.#dialogs.pending;
  }

  get activeExecutions(): readonly ToolExecutionSignal[] {
    return [...this.#active.values()].map(({ signal }) => signal);
  }

  get history(): readonly HistoryEntry[] {
    return this.#history.entries;
  }

  /** Results that the gateway has not confirmed yet. */
  get unconfirmedResults(): number {
    return this.#results.size;
  }

  /** Receives the tool events of a stream from now on, and resends unconfirmed results after a reconnect. */
  attach(stream: StreamingClient<'plugin'>): () => void {
    // Some events do not name their session; a stream belongs to one session.
    const named = (event: object): object => ({ session_id: stream.session, ...event });
    const later = (work: Promise<void>): void => void work.catch((error: unknown) => this.#notice(error));
    const offs = [
      stream.on('tool.approval_request', (event) => later(this.handleToolApprovalRequest(named(event)))),
      stream.on('tool.execution_signal', (event) => later(this.handleToolExecutionSignal(named(event)))),
      stream.on('tool.result_ack', (event) => this.handleToolResultAck(named(event))),
      stream.on('approval_resolved', (event) => this.#settle(named(event))),
      stream.on('approval_timeout', (event) => this.#settle(named(event))),
      stream.onState(({ name }) => name === 'open' && later(this.resend())),
    ];
    return () => {
      for (const off of offs) off();
    };
  }

  async handleToolApprovalRequest(event: unknown): Promise<void> {
    const request = this.#read(ToolApprovalRequest(), event);
    if (request !== undefined && !this.#isDisposed) await this.#track(this.#askAndTell(request));
  }

  /** Undefined when the same approval is already shown. */
  async requestUserApproval(request: ToolApprovalRequest): Promise<DialogAnswer | undefined> {
    const dialog = this.#dialogs.ask(request);
    if (dialog === undefined) return undefined;
    this.#history.noteRequest(request);
    const answer = await dialog;
    this.#history.noteRequest(request, answer);
    return answer;
  }

  async handleToolExecutionSignal(event: unknown): Promise<void> {
    const signal = this.#read(ToolExecutionSignal(), event);
    // A call that is received twice while it runs is run once.
    if (signal === undefined || this.#isDisposed || this.#active.has(callKey(signal))) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    this.#active.set(callKey(signal), { signal, abort });
    if (this.#queue.add(() => this.executeAndReport(signal).then(() => resolve(), resolve)))
      return await this.#track(promise);
    this.#active.delete(callKey(signal));
    const message = 'Too many calls are waiting here. Try again when some have ended.';
    await this.#report(
      signal,
      failureResult(signal, new ToolError('CONCURRENT_LIMIT_EXCEEDED', message), abort.signal),
    );
  }

  handleToolResultAck(event: unknown): void {
    const ack = this.#read(ToolResultAck(), event);
    if (ack === undefined) return;
    const { tool_id, receipt_status, status, message } = ack;
    for (const key of [callKey(ack), callKey({ tool_id })]) this.#results.done(key);
    if (receipt_status !== 'rejected' && status !== 'error') return;
    this.#options.onNotice?.(message ?? `The gateway did not take the result of ${tool_id}.`);
  }

  /** Runs the call unless it was run before, and reports the result to the gateway. */
  async executeAndReport(signal: ToolExecutionSignal): Promise<ToolResult> {
    const result = await this.#carryOut(signal).finally(() => this.#active.delete(callKey(signal)));
    await this.#report(signal, result);
    return result;
  }

  /** Sends again what the gateway has not confirmed. */
  async resend(): Promise<void> {
    await Promise.all([this.#decisions.resend(), this.#results.resend()]);
  }

  /** Rejects pending approvals, cancels running calls, and returns when that was reported. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#dialogs.rejectAll('The client was closed.');
    for (const { abort } of this.#active.values()) abort.abort();
    // A report that fails does not stop the others.
    await Promise.allSettled(this.#running);
  }

  async #askAndTell(request: ToolApprovalRequest): Promise<void> {
    const answer = (await this.#validate(request)) ?? (await this.requestUserApproval(request));
    if (answer === undefined || 'settled' in answer) return;
    const key = callKey(request);
    const id = request.approval_id ?? request.tool_id;
    const sessionField = request.session_id === undefined ? {} : { session_id: request.session_id };
    const { api } = this.#options;
    if (!answer.approved) {
      const { reason, cause } = answer;
      const metadata = cause === undefined ? sessionField : { ...sessionField, cause };
      await this.#decisions.post(key, () => api.rejectToolExecution(id, reason, metadata));
      return;
    }
    const { modifiedArgs } = answer;
    this.#rememberApproval(key, comparableCall(request.tool_name, modifiedArgs ?? request.args));
    const edited = modifiedArgs === undefined ? {} : { modified_args: modifiedArgs };
    await this.#decisions.post(key, () => api.approveToolExecution(id, { ...sessionField, ...edited }));
  }

  /** The answer to a request that no human is asked about; undefined for one that may be shown. */
  async #validate(request: ToolApprovalRequest): Promise<DialogAnswer | undefined> {
    try {
      validateToolRequest(request, this.#config);
      await this.#options.validate?.(request.tool_name, request.args);
      return undefined;
    } catch (error) {
      // A check that fails has not approved: without an answer the call would wait for one that nobody can give.
      const isKnown = error instanceof ToolError;
      const reason = isKnown ? error.message : `The call could not be checked here: ${String(error)}`;
      const rejection = { approved: false, reason, cause: 'invalid' } as const;
      this.#history.noteRequest(request, rejection);
      this.#notice(error);
      return rejection;
    }
  }

  /** Closing waits for this work. */
  #track(work: Promise<void>): Promise<void> {
    this.#running.add(work);
    return work.finally(() => this.#running.delete(work));
  }

  async #carryOut(signal: ToolExecutionSignal): Promise<ToolResult> {
    const key = callKey(signal);
    const abort = this.#active.get(key)?.abort ?? new AbortController();
    this.#active.set(key, { signal, abort });
    const wasApprovedHere = this.#approved.get(key) === comparableCall(signal.tool_type, signal.args);
    try {
      if (!wasApprovedHere && signal.execution_context?.user_approved !== true)
        throw new ToolError('REJECTED', 'The call was not approved, so it did not run.');
      readPluginCall(signal);
      abort.signal.throwIfAborted();
      const earlier = await this.#store.begin(key);
      if (earlier?.result !== undefined) return earlier.result;
      if (earlier !== undefined) throw unknownOutcome();
    } catch (error) {
      return failureResult(signal, error, abort.signal);
    }
    const { tool_id: toolId, tool_type: toolType } = signal;
    this.#history.note(key, { toolId, toolType, status: 'approved', userApproved: wasApprovedHere });
    const execution = { wasApprovedHere, signal: abort.signal };
    const result = await this.#options
      .execute(signal, execution)
      .catch((error: unknown) => failureResult(signal, error, abort.signal));
    // The call was run, whether its result can be stored or not.
    await this.#store
      .end(key, result)
      .catch(() => this.#options.onNotice?.('A result could not be kept here.'));
    return result;
  }

  async #report(signal: ToolExecutionSignal, result: ToolResult): Promise<void> {
    const { tool_id, session_id } = signal;
    this.#history.note(callKey(signal), { toolId: tool_id, toolType: signal.tool_type, ...endOf(result) });
    const report = session_id === undefined ? result : { ...result, session_id };
    await this.#results.post(callKey(signal), () => this.#options.api.sendToolResult(tool_id, report));
  }

  #rememberApproval(key: string, args: string): void {
    this.#approved.set(key, args);
    if (this.#approved.size > maxApproved) this.#approved.delete(this.#approved.keys().next().value ?? '');
  }

  #notice(error: unknown): void {
    this.#options.onNotice?.(error instanceof Error ? error.message : String(error));
  }

  #settle(event: unknown): void {
    const resolved = this.#read(ApprovalResolved(), event);
    if (resolved !== undefined) this.#dialogs.settle(callKey(resolved));
  }

  #read<T extends z.ZodMiniType>(shape: T, event: unknown): z.infer<T> | undefined {
    const { success, data } = shape.safeParse(event);
    if (success) return data;
    this.#options.onNotice?.('A message about a tool can’t be read and was left out.');
    return undefined;
  }
}

const maxApproved = 10_000;
