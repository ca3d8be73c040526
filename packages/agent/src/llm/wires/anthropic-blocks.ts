// The blocks of an unfinished message. Signed reasoning is kept unchanged, with the order of everything around it.

import type { DraftCall, ReplyDraft } from '../reply/reply-draft.ts';
import type { AnthropicOpaque, OpaqueBlock } from './anthropic-thinking.ts';

export type AnthropicBlock = {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  input?: unknown;
};

export type BlockDelta = {
  type?: string;
  text?: string;
  partial_json?: string;
  thinking?: string;
  signature?: string;
};

export type AnthropicBlocks = {
  begin(index: number, block: AnthropicBlock): void;
  grow(index: number, delta: BlockDelta): void;
  /** Undefined when nothing was signed. */
  opaque(): AnthropicOpaque | undefined;
};

type Begun =
  | { kind: 'text'; length: number }
  | { kind: 'call'; call: DraftCall }
  | { kind: 'thought'; block: AnthropicBlock }
  | { kind: 'other' };

export function anthropicBlocks(draft: ReplyDraft): AnthropicBlocks {
  const begun = new Map<number, Begun>();

  function begin(index: number, block: AnthropicBlock): Begun {
    switch (block.type) {
      case 'text': {
        draft.addText(block.text ?? '');
        return { kind: 'text', length: block.text?.length ?? 0 };
      }
      case 'tool_use': {
        const call = draft.beginCall({ index, id: block.id ?? '', name: block.name ?? '', json: '' });
        // In a stream the input begins as an empty object, which its deltas then replace.
        const isGiven = Object.keys(block.input ?? {}).length > 0;
        if (isGiven) draft.addArguments(call, JSON.stringify(block.input));
        else draft.announce(call);
        return { kind: 'call', call };
      }
      case 'thinking':
        draft.addReasoning(block.thinking ?? '');
        return { kind: 'thought', block: { ...block } };
      case 'redacted_thinking':
        return { kind: 'thought', block: { ...block } };
      default:
        return { kind: 'other' };
    }
  }

  return {
    begin: (index, block) => void begun.set(index, begin(index, block)),
    grow(index, delta) {
      const open = begun.get(index);
      if (open?.kind === 'text' && delta.text !== undefined) {
        open.length += delta.text.length;
        draft.addText(delta.text);
      } else if (open?.kind === 'call') draft.addArguments(open.call, delta.partial_json ?? '');
      else if (open?.kind === 'thought') think(open.block, delta, draft);
    },
    opaque() {
      const blocks = [...begun.values()].flatMap((open) => pointTo(open, draft));
      return blocks.some((block) => 'thought' in block) ? { blocks } : undefined;
    },
  };
}

function think(block: AnthropicBlock, delta: BlockDelta, draft: ReplyDraft): void {
  if (delta.thinking !== undefined) {
    block.thinking = (block.thinking ?? '') + delta.thinking;
    draft.addReasoning(delta.thinking);
  }
  if (delta.signature !== undefined) block.signature = (block.signature ?? '') + delta.signature;
}

/** Reasoning that was cut off has no signature, and would be refused. */
function isSigned({ type, signature }: AnthropicBlock): boolean {
  return type === 'redacted_thinking' || (signature !== undefined && signature !== '');
}

function pointTo(open: Begun, draft: ReplyDraft): OpaqueBlock[] {
  switch (open.kind) {
    case 'text':
      return [{ text: open.length }];
    case 'call':
      return [{ call: draft.calls.indexOf(open.call) }];
    case 'thought':
      return isSigned(open.block) ? [{ thought: open.block }] : [];
    case 'other':
      return [];
  }
}
