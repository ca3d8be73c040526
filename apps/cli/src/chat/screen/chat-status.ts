// What the status line says of a chat.
import { estimateTokens } from '@codelab/agent';
import type { AgentStatus } from '@codelab/protocol';
import type { Chat } from '../chat.ts';
import type { Status } from './status-line.ts';

type Doing = { since: number; status: AgentStatus; sign: string };

const doings: Record<AgentStatus, string> = {
  idle: 'working',
  thinking: 'thinking',
  executing_tool: 'working',
  waiting_approval: 'waits for your decision',
  error: 'working',
};

export function chatStatus({ agent, talk, mode, usage }: Chat, doing: Doing | undefined): Status {
  const { model, profile } = agent;
  return {
    model: model.name,
    profile: profile.name,
    mode,
    tokens: usage.inputTokens + usage.outputTokens,
    cost: usage.cost,
    context: Math.min(1, talk.tokensWith(estimateTokens(profile.prompt)) / model.contextTokens),
    doing: doing === undefined ? '' : doingText(doing),
  };
}

function doingText({ since, status, sign }: Doing): string {
  const seconds = Math.floor((Date.now() - since) / 1000);
  return `${sign} ${doings[status]} ${seconds}s · Esc cancels`;
}
