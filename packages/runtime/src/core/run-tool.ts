// The run step: the tool works with what it planned, under a time limit, and whoever watches is told how far it is.

import type { Ran, RunContext } from '../tool/define-tool.ts';
import type { Args, CallRun, CallView, Judged, Ready } from './call-run.ts';
import { limitTime } from './limit-time.ts';
import { planContext } from './plan-call.ts';

export async function runRecorded(run: CallRun, ready: Ready, slot: string): Promise<Ran<Args>> {
  const { host, call, limits } = run;
  const { tool, input, planned, wasAsked, verdict } = ready;
  const mostMs = call.timeoutMs ?? (tool.startsAgents ? undefined : limits.runMs);
  using time = limitTime(run.signal, mostMs);
  using running = tool.kind === 'execute' ? host.commands.begin(call, time.signal) : undefined;
  return await tool.run(input, planned.prepared, {
    ...runContext(run),
    signal: running?.signal ?? time.signal,
    onRecorded: (work) => run.afterRecord.push(work),
    callId: call.id,
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
export function runUnrecorded(view: CallView, { tool, input, planned }: Judged): Promise<Ran<Args>> {
  return tool.run(input, planned.prepared, runContext(view));
}

function runContext(view: CallView): RunContext {
  const { later, closing } = view.host;
  const call = { callId: '-', slot: '', isAsked: false, answer: undefined, choice: undefined };
  const unheard = { report: () => undefined, onRecorded: () => undefined };
  return { ...planContext(view), later, closing, ...call, ...unheard };
}
