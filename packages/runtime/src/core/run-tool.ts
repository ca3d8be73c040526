// The run step: the tool works with what it planned, under a time limit, and whoever watches is told how far it is.
import { longestTimerMs } from '@codelab/protocol';
import type { ToolRunResult } from '../tool/define-tool.ts';
import type { CallRun, CallScope, JudgedCall, ReadyCall, ToolArguments } from './call-run.ts';
import { planContext } from './plan-call.ts';

export async function runRecorded(
  run: CallRun,
  ready: ReadyCall,
  slot: string,
): Promise<ToolRunResult<ToolArguments>> {
  const { host, call, limits } = run;
  const { tool, input, planned, wasAsked, verdict } = ready;
  const mostMs = call.timeoutMs ?? (tool.startsAgents ? undefined : limits.runMs);
  using time = limitTime(run.signal, mostMs);
  using running = tool.kind === 'execute' ? host.commands.begin(call, time.signal) : undefined;
  return await tool.run(input, planned.prepared, {
    ...planContext(run),
    later: host.later,
    closing: host.closing,
    // Not a getter, although few tools ask for it: V8 keeps an object with one as a dictionary, which takes 5 µs to make.
    signal: running?.signal ?? time.signal,
    onRecorded: (work) => run.afterRecord.push(work),
    callId: call.id,
    args: ready.args,
    slot,
    isAsked: wasAsked || verdict.isAllowedByRules === true,
    answer: ready.answer,
    choice: ready.choice,
    report(progress) {
      running?.note(progress);
      host.progress.tell(call, progress);
    },
  });
}

/** Nobody watches the call, and nothing of it reaches the log. */
export function runUnrecorded(
  view: CallScope,
  { tool, input, planned }: JudgedCall,
): Promise<ToolRunResult<ToolArguments>> {
  const { later, closing } = view.host;
  const call = { callId: '-', args: {}, slot: '', isAsked: false, answer: undefined, choice: undefined };
  const unheard = { report: () => undefined, onRecorded: () => undefined };
  return tool.run(input, planned.prepared, { ...planContext(view), later, closing, ...call, ...unheard });
}

// A signal for one piece of work: it aborts with another one or when the time is up, and holds nothing once the work is over.

type Limited = Disposable & {
  /** Made when somebody asks for it: the shortest calls never do. */
  readonly signal: AbortSignal;
};

export function limitTime(outer: AbortSignal, mostMs: number | undefined): Limited {
  const began = performance.now();
  let stop: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  const passOn = (): void => stop?.abort(outer.reason);
  function start(): AbortController {
    stop = new AbortController();
    if (outer.aborted) passOn();
    else outer.addEventListener('abort', passOn, { once: true });
    if (mostMs === undefined) return stop;
    const left = Math.min(longestTimerMs, Math.max(0, mostMs - (performance.now() - began)));
    timer = setTimeout(end, left, stop).unref();
    return stop;
  }
  return {
    get signal() {
      return (stop ?? start()).signal;
    },
    [Symbol.dispose]() {
      if (stop === undefined) return;
      clearTimeout(timer);
      outer.removeEventListener('abort', passOn);
    },
  };
}

function end(stop: AbortController): void {
  stop.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
}
