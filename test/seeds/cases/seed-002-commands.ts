// Seed 002: the commands that are allowed and those that are forbidden.
import { expect } from 'vitest';
import { openChat } from '../plugin-stream.ts';
import type { At, Json, SeedCase } from '../seed-case.ts';

type Command = [command: string, ...args: string[]];

const allowed: Command[] = [
  ['ls', '-1'],
  ['find', '.', '-name', '*.txt'],
  ['cat', 'a.txt'],
  ['head', '-n', '1', 'a.txt'],
  ['tail', '-n', '1', 'a.txt'],
  ['mkdir', 'made'],
  ['touch', 'new.txt'],
  ['rm', 'b.txt'],
  ['git', 'status'],
  ['npm', '--version'],
  ['yarn', 'build'],
  ['pnpm', 'test'],
];

const forbidden: Command[] = [
  ['sudo', 'ls'],
  ['su', '-c', 'id'],
  ['rm', '-rf', '/'],
  ['curl', 'http://127.0.0.1'],
  ['wget', 'http://127.0.0.1'],
  ['eval', 'id'],
  ['bash', '-c', 'id'],
];

const hidden: Command[] = [
  ['find', '.', '-exec', 'sh', '-c', 'id', ';'],
  ['find', '.', '-exec', 'curl', 'http://127.0.0.1', ';'],
  ['npm', 'exec', '--', 'curl', 'http://127.0.0.1'],
];

/** The result of a command at a gateway that has the files, once its user has approved it. */
async function run({ stage }: At, [command, ...args]: Command, agrees: boolean): Promise<Json> {
  await using chat = await openChat(stage, { framing: 'sse', executor: 'gateway' });
  const call = { tool_name: 'execute_command', tool_params: { command, args }, session_id: chat.session };
  const { body } = await chat.post('/my/projects/p1/tools/execute', call);
  if (body.status !== 'awaiting_approval') return { asked: false, ...body };
  await chat.post(`/tools/${String(body.tool_id)}/${agrees ? 'approve' : 'reject'}`, { reason: 'Later.' });
  const end = await chat.next(agrees ? 'tool_result' : 'tool_error');
  return { asked: true, ...end };
}

const commandCases = (
  kind: string,
  commands: Command[],
  play: (at: At, command: Command) => Promise<void>,
): SeedCase[] =>
  commands.map((command) => ({
    id: `${kind}: ${command[0]}${kind === 'hidden' ? ` ${command.slice(1).join(' ')}` : ''}`,
    item: `\`${command.join(' ')}\``,
    on: ['rest'],
    play: (at) => play(at, command),
  }));

export const commands002: readonly SeedCase[] = [
  ...commandCases('allowed', allowed, async (at, command) => {
    at.stage.repository({ 'a.txt': 'one\n', 'b.txt': '' });
    // Some machines lack these two programs; an approval request shows that they are let through.
    const isHere = command[0] !== 'yarn' && command[0] !== 'pnpm';
    const answer = await run(at, command, isHere);
    expect(answer).toMatchObject(
      isHere ? { asked: true, status: 'success' } : { asked: true, error: { code: 'REJECTED' } },
    );
  }),
  ...commandCases('forbidden', forbidden, async (at, command) => {
    expect(await run(at, command, true)).toMatchObject({ asked: false, error_code: 'COMMAND_BLACKLISTED' });
  }),
  ...commandCases('hidden', hidden, async (at, command) => {
    expect(await run(at, command, true)).toMatchObject({
      asked: false,
      error_code: expect.stringMatching(/^COMMAND_(BLACKLISTED|NOT_WHITELISTED)$/),
    });
  }),
  {
    id: 'git: read-only',
    item: '`push`, `commit`, `checkout` and options that write are refused',
    on: ['rest'],
    async play(at) {
      for (const args of [['push'], ['commit', '-m', 'x'], ['checkout', 'main'], ['diff', '--output=x']])
        expect(await run(at, ['git', ...args], true)).toMatchObject({
          error_code: 'COMMAND_NOT_WHITELISTED',
        });
    },
  },
  {
    id: 'not on the list',
    item: 'Any other program is refused',
    on: ['rest'],
    async play(at) {
      for (const command of ['python3', './ls', '/bin/ls'])
        expect(await run(at, [command], true)).toMatchObject({ error_code: 'COMMAND_NOT_WHITELISTED' });
    },
  },
];
