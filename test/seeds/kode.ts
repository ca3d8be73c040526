// One call in Kode's words: through the command, its service, or a headless run.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { modelServer } from '../support/model-server.ts';
import { callAnswer, textAnswer } from '../support/run-bench.ts';
import type { At, Json } from './seed-case.ts';
import type { Stage } from './stage.ts';

export const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);

export type Told = { answer: Json; all: Json[] };
type Wanted = { tool: string; input: Json; id: string; mode?: 'ask' | 'edit'; workingDir?: string };

/** The document's files lie in /home/user/project: here they lie in the workspace. */
export function inStageRoot<T>(at: At, message: T): T {
  return JSON.parse(JSON.stringify(message).replaceAll('/home/user/project', at.stage.root)) as T;
}

/** All messages about one call, the last one first. */
export async function use(at: At, tool: string, input: Json, id = 'toolu_01'): Promise<Told> {
  if (at.wire === 'service') return await chat(at.stage, { tool, input, id });
  if (at.wire === 'tool') {
    const call = JSON.stringify({ type: 'tool_use', tool, input, id });
    const { message } = await at.stage.codelab(['tool', tool, call, '--dialect', 'kode', '--approve', 'all']);
    return { answer: message, all: [message] };
  }
  const first = viewFirst(at.stage, tool, input).map(({ name, args }) =>
    callAnswer(name, args, 'toolu_view'),
  );
  await using server = await modelServer([...first, callAnswer(tool, input, id), textAnswer('Done.')]);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none', CODELAB_MODEL: 'openai/test' };
  const words = ['run', 'Go on.', '--approve', 'all', '--output', 'backend_only'];
  const { lines } = await at.stage.codelab(words, { env });
  return { answer: answerTo(id, lines), all: lines };
}

/** The same over the service: the events it streams, with every question answered at the address it names. */
export async function chat(stage: Stage, request: Wanted): Promise<Told> {
  const { tool, input, id, mode = 'edit', workingDir = stage.root } = request;
  const first = viewFirst(stage, tool, input).map(({ name, args }) => ({
    calls: [[name, args, 'toolu_view'] as [string, Json, string]],
  }));
  stage.says([...first, { calls: [[tool, input, id]] }, { text: 'Done.' }]);
  const body = JSON.stringify({ message: 'Go on.', mode, context: { userId: 'u1', workingDir } });
  const response = await stage.gateway.request('/api/chat/stream', { method: 'POST', body });
  if (!response.ok || response.body === null)
    return { answer: {}, all: [{ type: 'error', status: response.status, body: await response.text() }] };
  const all: Json[] = [];
  let buffered = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffered += text;
    const lines = buffered.split('\n');
    buffered = lines.pop() ?? '';
    for (const line of lines.filter((line) => line.startsWith('data: '))) {
      const event = JSON.parse(line.slice(6)) as Json;
      all.push(event);
      if (event.type === 'can_use_tool')
        await stage.gateway.request(String(event.approve), { method: 'POST', body: '{}' });
    }
  }
  return { answer: answerTo(id, all), all };
}

/** In a session that goes on, Kode changes only a file that was viewed before. */
function viewFirst(stage: Stage, tool: string, input: Json): { name: string; args: Json }[] {
  const path = String(input.file_path ?? input.notebook_path);
  const isThere = tool !== 'View' && existsSync(resolve(stage.root, path));
  return isThere ? [{ name: 'View', args: { file_path: path } }] : [];
}

function answerTo(id: string, all: Json[]): Json {
  return all.find(({ type, tool_use_id }) => type === 'backend_only' && tool_use_id === id) ?? {};
}
