// `!command`: the human's own command. It goes the way of every call, only the model is not asked; it is told afterwards.
import { cutText } from '@codelab/agent';
import type { AgentSignal, ToolCall } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { type Chat, person } from './chat.ts';

const maxTold = 8000;

export async function runOwnLine(
  chat: Chat,
  command: string,
  { signal, tell }: { signal: AbortSignal; tell(signal: AgentSignal): void },
): Promise<void> {
  const { agent, session, talk } = chat;
  const call: ToolCall = {
    id: `own_${randomId()}`,
    session,
    tool: 'run_command',
    args: { command },
    dialect: 'codelab',
    // Its changes are those of the turn that tells of it, and are taken back with it.
    turn: talk.turn + 1,
    by: person(),
  };
  tell({ type: 'call', call });
  for await (const event of agent.host.execute(call, signal)) {
    switch (event.type) {
      case 'approval':
      case 'decided':
        tell(event);
        break;
      case 'progress':
        tell({ ...event, callId: call.id });
        break;
      case 'outcome': {
        const text = agent.host.tell(event.outcome);
        tell({ ...event, call, text });
        await chat.note(`I ran a command myself: ${command}\n\n${cutText(text, maxTold)}`);
      }
    }
  }
}
