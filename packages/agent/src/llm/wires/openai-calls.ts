// Assembles calls from deltas. Servers omit index or id, repeat them, split names or send them with every piece.
import type { ModelRequest } from '../../model.ts';
import type { DraftCall, ReplyDraft } from '../reply/reply-draft.ts';
import { toolNames } from '../request/tool-names.ts';

export type CallDelta = {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  extra_content?: unknown;
};

export type OpenaiCalls = {
  add(delta: CallDelta): void;
  /** Data of a call that the provider requires back, by the call's index. */
  extra(): Record<number, unknown> | undefined;
};

export function openaiCalls(draft: ReplyDraft, request: ModelRequest): OpenaiCalls {
  const names = toolNames(request.tools);
  const extras = new Map<DraftCall, unknown>();
  const isName = (name: string): boolean => names.isTool(names.fromWire(name));

  function callOf(delta: CallDelta): DraftCall {
    const index = delta.index ?? draft.calls.at(-1)?.index ?? 0;
    const openCall = draft.calls.findLast((call) => call.index === index);
    if (openCall !== undefined && !beginsAnother(delta, openCall)) return openCall;
    return draft.beginCall({ index, id: delta.id ?? '', name: '', json: '' });
  }

  return {
    add(delta) {
      const call = callOf(delta);
      if (call.id === '') call.id = delta.id ?? '';
      if (delta.extra_content !== undefined) extras.set(call, delta.extra_content);
      const name = delta.function?.name ?? '';
      // A complete name that arrives again is a repetition, not a continuation.
      const isRepeated = isName(call.name) && !isName(call.name + name);
      if (call.announcedAs === undefined && !isRepeated) call.name += name;
      draft.addArguments(call, argumentsText(delta.function?.arguments));
    },
    extra() {
      const entries = [...extras].map(([call, extra]) => [draft.calls.indexOf(call), extra] as const);
      return entries.length === 0 ? undefined : Object.fromEntries(entries);
    },
  };
}

/** The same index, yet another call: it names a tool, and has its own id or follows complete arguments. */
function beginsAnother({ id, function: functionDelta }: CallDelta, openCall: DraftCall): boolean {
  if (!functionDelta?.name) return false;
  if (id && openCall.id !== '' && id !== openCall.id) return true;
  return !id && argumentsText(functionDelta.arguments) !== '' && isComplete(openCall.json);
}

function isComplete(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
