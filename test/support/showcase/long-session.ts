// A long session as one really has it: 200 steps over fastify's sources, with failing tests, a sub-agent, todos and an image.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from '@codelab/agent';
import type { Reply, WantedCall } from '@codelab/protocol';
import { type PageBench, pageBench } from '../page-bench.ts';

const fastify = join(import.meta.dirname, '../../../node_modules/fastify');
const sources = readdirSync(join(fastify, 'lib')).filter((name) => name.endsWith('.js'));

type Wanted = [tool: string, args: Record<string, unknown>];
type Said = { text?: string; calls?: Wanted[] };

const red = `const { test } = require('node:test')
const assert = require('node:assert')
const { reqIdGenFactory } = require('../lib/req-id-gen-factory.js')

test('ids begin at one', () => assert.equal(reqIdGenFactory()(), 'req-1'))
test('ids are padded', () => assert.equal(reqIdGenFactory()(), 'req-001'))
test('a header wins', () => {
  assert.equal(reqIdGenFactory('x-id')({ headers: { 'x-id': 'abc' } }), 'abc')
})
`;

const files = {
  ...Object.fromEntries(
    sources.map((name) => [`lib/${name}`, readFileSync(join(fastify, 'lib', name), 'utf8')]),
  ),
  'README.md': readFileSync(join(fastify, 'README.md'), 'utf8'),
  'package.json': '{ "name": "fastify", "scripts": { "test": "node --test" } }\n',
  'test/req-id.test.js': red,
};

const report = `The padding was **never implemented**: \`lib/req-id-gen-factory.js:41\` builds the id with \`toString(36)\` only.

| File | Change | Lines |
|:-----|:------:|------:|
| \`lib/req-id-gen-factory.js\` | pads to three digits | 2 |
| \`test/req-id.test.js\` | expects the padded form | 1 |

\`\`\`diff
-    return \`req-\${nextReqId.toString(36)}\`
+    return \`req-\${nextReqId.toString(36).padStart(3, '0')}\`
\`\`\`

- [x] find the cause
- [x] fix it
- [ ] note it in the changelog

\`\`\`mermaid
flowchart LR
  A[counter] --> B{overflow?}
  B -- yes --> C[start at 1]
  B -- no --> D[toString 36]
\`\`\`

Ids stay unique up to $2^{31}-1$ requests. Next I would look at \`lib/hooks.js:120\`.

![How an id is made](docs/ids.svg)`;

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="90" font-family="sans-serif" font-size="13">
  <rect width="420" height="90" fill="#fff"/>
  <g fill="#e8eefc" stroke="#3857c4"><rect x="16" y="28" width="104" height="34" rx="6"/><rect x="158" y="28" width="104" height="34" rx="6"/><rect x="300" y="28" width="104" height="34" rx="6"/></g>
  <path d="M120 45h34m108 0h34" stroke="#3857c4" fill="none"/>
  <g fill="#1c2333" text-anchor="middle"><text x="68" y="50">counter</text><text x="210" y="50">toString(36)</text><text x="352" y="50">padStart(3)</text></g>
</svg>`;

const pad = "padStart(3, '0')";
const read = (name: string, line?: number): Wanted => [
  'read_file',
  { path: `lib/${name}`, ...(line && { start_line: line, end_line: line + 40 }) },
];
const find = (query: string): Wanted => ['search_in_project', { query, path: 'lib' }];
const run = (command: string): Wanted => ['run_command', { command }];
const todos = (doneCount: number): Wanted => [
  'todowrite',
  {
    todos: ['Find why the test fails', 'Pad the id', 'Run the tests', 'Note it in the changelog'].map(
      (content, at) => ({
        content,
        status: at < doneCount ? 'completed' : at === doneCount ? 'in_progress' : 'pending',
      }),
    ),
  },
];

/** The model's replies in each turn, step by step. */
const turns: Said[][] = [
  [
    { text: 'I will reproduce it first.', calls: [todos(0), run('node --test')] },
    { calls: sources.slice(0, 12).map((name) => read(name)) },
    {
      text: 'The id comes from one factory; I look for whoever calls it.',
      calls: ['genReqId', 'kGenReqId', 'req-'].map(find),
    },
    { calls: [['task', { agent: 'explore', objective: 'Find who depends on the form of a request id.' }]] },
    {
      calls: [
        [
          'edit_file',
          {
            path: 'lib/req-id-gen-factory.js',
            old_string: 'nextReqId.toString(36)}',
            new_string: `nextReqId.toString(36).${pad}}`,
          },
        ],
        [
          'edit_file',
          { path: 'test/req-id.test.js', old_string: "()(), 'req-1'", new_string: "()(), 'req-001'" },
        ],
      ],
    },
    { text: 'Now the tests again.', calls: [todos(2), run('node --test')] },
    { text: report },
  ],
  ...Array.from({ length: 9 }, (_, at): Said[] => [
    {
      text: `I go through ${sources[at]} and what it needs.`,
      calls: sources.slice(at, at + 10).map((name, n) => read(name, n * 7 + 1)),
    },
    { calls: ['onSend', 'preHandler', 'FST_ERR'].map(find) },
    { calls: [run(`node -e "require('./lib/${sources[at]}')"`), ['list_files', { path: 'lib' }]] },
    {
      calls: [
        [
          'write_file',
          { path: `notes/${at + 1}.md`, content: `# ${sources[at]}\n\nRead on day ${at + 1}.\n` },
        ],
        run('node --test'),
      ],
    },
    { text: `\`lib/${sources[at]}\` is fine. It **does not** touch the id; see \`lib/symbols.js:12\`.` },
  ]),
];

const asks = [
  'The test of the request id fails. Find out why and fix it.',
  ...sources.slice(0, 9).map((name) => `Does ${name} depend on the form of the id?`),
];

export async function longSession(): Promise<AsyncDisposable & { web: PageBench; session: string }> {
  await using stack = new AsyncDisposableStack();
  const env = {
    PATH: process.env.PATH,
    CODELAB_MODEL: 'openai/gpt-5',
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  const web = stack.use(
    await pageBench({
      files: { ...files, 'docs/ids.svg': drawing },
      script: speaker(),
      mode: 'trusted',
      env,
    }),
  );
  const session = await web.session();
  for (const [at, text] of asks.entries()) await sendMessage(web, session, text, at + 1);
  const resources = stack.move();
  return { web, session, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** The attachment of the first message. */
const screenshot = {
  name: 'failing-test.png',
  data: readFileSync(join(import.meta.dirname, '../../../docs/screenshots/changes-dark.png')).toString(
    'base64',
  ),
};

async function sendMessage(web: PageBench, session: string, content: string, turn: number): Promise<void> {
  await web.gateway.request(`/api/v1/sessions/${session}/messages`, {
    method: 'POST',
    body: JSON.stringify({ content, ...(turn === 1 && { images: [screenshot] }) }),
  });
  for (;;) {
    const answer = await web.gateway.request(`/api/v1/sessions/${session}/log?limit=1000`);
    const { events } = (await answer.json()) as {
      events: { body: { type: string; turn?: number; agent?: string } }[];
    };
    if (events.some(({ body }) => body.type === 'turn.ended' && body.turn === turn && !body.agent)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function speaker(): Model {
  let callCount = 0;
  return {
    name: 'openai/gpt-5',
    contextTokens: 400_000,
    async *stream({ messages }) {
      const first = messages[0];
      const isSub = first?.role === 'user' && first.text.startsWith('Find who depends');
      const replied = messages.filter(({ role }) => role === 'assistant').length;
      const scripted = isSub ? explored(replied) : (turns.flat()[replied] ?? { text: 'Done.' });
      const calls = (scripted.calls ?? []).map(
        ([tool, args]): WantedCall => ({ id: `c${++callCount}`, tool, args }),
      );
      const text = scripted.text ?? '';
      if (text !== '') yield { type: 'text', delta: text };
      const usage = { inputTokens: 9000 + replied * 700, outputTokens: 260, cost: 0.011 };
      const reply: Reply = {
        model: 'openai/gpt-5',
        text,
        calls,
        usage,
        stop: calls.length > 0 ? 'calls' : 'end',
      };
      yield { type: 'reply', reply };
    },
  };
}

function explored(replied: number): Said {
  if (replied === 0)
    return {
      text: 'I look at the callers.',
      calls: [read('request.js'), find('req.id'), read('logger-factory.js')],
    };
  return { text: 'Only `lib/logger-factory.js` prints it; nothing parses it.' };
}
