// A session of many entries as work leaves them: turns with a reply, and calls with their results.
import type { EventBody, SessionLog } from '@codelab/protocol';

type Filled = { log: SessionLog; session: string; workspace: string; entries: number };

/** The last question is `Question N`; returns its N. */
export async function fillSession({ log, session, workspace, entries }: Filled): Promise<number> {
  const bodies: EventBody[] = [{ type: 'session.opened', workspace, title: 'Long' }];
  let turn = 0;
  while (bodies.length < entries) bodies.push(...turnOf(++turn, session));
  for (let at = 0; at < bodies.length; at += 1000)
    await log.append(session, bodies.slice(at, at + 1000), { expected: at });
  return turn;
}

function turnOf(turn: number, session: string): EventBody[] {
  const id = `call_${turn}`;
  const args = { path: `src/file-${turn}.ts` };
  const usage = { inputTokens: 1200, outputTokens: 80 };
  const reply = {
    model: 'm',
    text: '',
    calls: [{ id, tool: 'read_file', args }],
    usage,
    stop: 'calls' as const,
  };
  const text = `The answer to **${turn}**: see \`src/file-${turn}.ts\`.\n\n- one\n- two\n`;
  return [
    { type: 'turn.started', turn, text: `Question ${turn}`, model: 'm', profile: 'build' },
    { type: 'model.replied', turn, reply },
    { type: 'call.received', call: { id, session, tool: 'read_file', args, dialect: 'codelab' } },
    {
      type: 'call.finished',
      callId: id,
      turn,
      outcome: {
        status: 'completed',
        callId: id,
        tool: 'read_file',
        startedAt: Date.now(),
        durationMs: 3,
        data: { path: args.path, content: 'export const a = 1;\n'.repeat(20) },
        effects: [],
      },
    },
    { type: 'model.replied', turn, reply: { ...reply, text, calls: [], stop: 'end' } },
    { type: 'turn.ended', turn, end: 'completed' },
  ];
}
