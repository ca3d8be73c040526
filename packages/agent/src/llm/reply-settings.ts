// What the user wants of every reply: how much the model reasons, and how long a reply may be. The environment counts more than what is
// set for a model, and that more than what is set for its provider.
import { efforts, ToolError } from '@codelab/protocol';
import type { ModelRequest } from '../model.ts';
import type { ModelSources } from './connection.ts';

export function replySettings(
  provider: string,
  id: string,
  { env, own = {} }: ModelSources,
): Pick<ModelRequest, 'effort' | 'maxTokens'> {
  const set = Object.hasOwn(own, provider) ? own[provider] : undefined;
  const ofModel = set?.models !== undefined && Object.hasOwn(set.models, id) ? set.models[id] : undefined;
  const effort = readEffort(env.CODELAB_EFFORT?.trim()) ?? ofModel?.effort ?? set?.effort;
  const maxTokens = readTokens(env.CODELAB_MAX_TOKENS?.trim()) ?? ofModel?.max_tokens ?? set?.max_tokens;
  return { ...(effort !== undefined && { effort }), ...(maxTokens !== undefined && { maxTokens }) };
}

function readEffort(text: string | undefined): ModelRequest['effort'] {
  const effort = efforts.find((one) => one === text);
  if (!text || effort !== undefined) return effort;
  throw new ToolError('INVALID_ARGUMENTS', `CODELAB_EFFORT must be one of: ${efforts.join(', ')}.`, {
    field: 'CODELAB_EFFORT',
  });
}

function readTokens(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const tokens = Number(text);
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens;
  throw new ToolError('INVALID_ARGUMENTS', 'CODELAB_MAX_TOKENS must be a positive integer.', {
    field: 'CODELAB_MAX_TOKENS',
  });
}
