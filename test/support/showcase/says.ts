// The showcase model's replies: it explores, plans, builds a limit with tests, and then makes three calls together.
export type Said = {
  text: string;
  reasoning?: string;
  calls?: [tool: string, args: Record<string, unknown>][];
  tokens: [input: number, output: number, cached: number];
};

const limit = `// Lets each client make so many requests in a span of time; a bucket refills evenly.

export function createRateLimit({ capacity = 20, perSecond = 5, now = Date.now } = {}) {
  const buckets = new Map();

  return function take(client) {
    const at = now();
    const bucket = buckets.get(client) ?? { tokens: capacity, at };
    const tokens = Math.min(capacity, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
    const isAllowed = tokens >= 1;
    buckets.set(client, { tokens: isAllowed ? tokens - 1 : tokens, at });
    return isAllowed ? { isAllowed } : { isAllowed, retryAfter: Math.ceil((1 - tokens) / perSecond) };
  };
}
`;

const limitTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit } from '../src/http/rate-limit.js';

test('a client may make as many requests as the bucket holds', () => {
  const take = createRateLimit({ capacity: 2, perSecond: 1, now: () => 0 });
  assert.deepEqual([take('a'), take('a')], [{ isAllowed: true }, { isAllowed: true }]);
  assert.deepEqual(take('a'), { isAllowed: false, retryAfter: 1 });
});

test('clients do not share a bucket', () => {
  const take = createRateLimit({ capacity: 1, perSecond: 1, now: () => 0 });
  assert.equal(take('a').isAllowed && take('b').isAllowed, true);
});

test('the bucket refills', () => {
  let at = 0;
  const take = createRateLimit({ capacity: 1, perSecond: 2, now: () => at });
  take('a');
  at = 500;
  assert.equal(take('a').isAllowed, true);
});
`;

const todos = (doneCount: number) => ({
  todos: [
    'Read how requests are handled',
    'A token bucket per client, with tests',
    'Answer 429 with Retry-After',
    'Money in whole cents',
    'Remove the legacy scripts',
  ].map((content, i) => ({
    content,
    status: i < doneCount ? 'completed' : i === doneCount ? 'in_progress' : 'pending',
    priority: i === 2 ? 'high' : 'medium',
  })),
});

const plan = `Nothing limits a client today: \`src/server.js\` hands every request straight to the routes. I suggest a **token bucket per client**:

| | value | why |
|---|---|---|
| capacity | 20 | a page load makes about 12 requests |
| refill | 5 per second | above what the busiest client needs |
| answer | \`429\` with \`Retry-After\` | clients back off by themselves |

\`\`\`js
const take = createRateLimit({ capacity: 20, perSecond: 5 });
\`\`\`

Shall I build it?`;

const built = `The limit is in place and **all 5 tests pass**.

- \`src/http/rate-limit.js\` keeps a bucket per client
- \`src/server.js\` answers \`429\` and says when to try again
- the service runs as \`orders\`; you see its output under *Processes*`;

const cents: [string, string][] = [
  ['catalogue in euros.', 'catalogue in cents, and sums stay whole.'],
  [
    '  return subtotal(order) * (order.coupon.percent / 100);',
    '  return Math.round((subtotal(order) * order.coupon.percent) / 100);',
  ],
  ['/** Shipping is free for large orders. */', '/** Shipping is free from 50.00 on. */'],
  ['subtotal(order) > 50 ? 0 : 4.9', 'subtotal(order) >= 5000 ? 0 : 490'],
  ['countItems(order) * 2.5 : 0', 'countItems(order) * 250 : 0'],
  [
    '  return (subtotal(order) - discount(order)) * 0.19;',
    '  return Math.round((subtotal(order) - discount(order)) * 0.19);',
  ],
  ['total(order).toFixed(2)', '(total(order) / 100).toFixed(2)'],
];

export const replies: readonly Said[] = [
  {
    text: 'I look at how a request comes in first.',
    reasoning:
      'The limit belongs where every request passes. Find the server, its routes, and whether anything like it exists.',
    calls: [
      ['read_file', { path: 'src/server.js' }],
      ['search_in_project', { query: 'request', path: 'src' }],
    ],
    tokens: [4120, 180, 3072],
  },
  { text: '', calls: [['todowrite', todos(1)]], tokens: [5230, 140, 4096] },
  { text: plan, tokens: [5410, 320, 5120] },
  {
    text: 'First the bucket itself, with its tests.',
    calls: [
      ['write_file', { path: 'src/http/rate-limit.js', content: limit }],
      ['write_file', { path: 'test/rate-limit.test.js', content: limitTest }],
    ],
    tokens: [6020, 910, 5120],
  },
  {
    text: 'Now the server asks it before anything else happens.',
    calls: [
      [
        'multi_edit',
        {
          path: 'src/server.js',
          edits: [
            {
              old_string: 'import { handleOrders }',
              new_string: "import { createRateLimit } from './http/rate-limit.js';\nimport { handleOrders }",
            },
            {
              old_string: 'const server = createServer',
              new_string:
                'const take = createRateLimit({ capacity: 20, perSecond: 5 });\n\nconst server = createServer',
            },
            {
              old_string: '  const answer = await handleOrders(request);\n',
              new_string:
                "  const { isAllowed, retryAfter } = take(request.socket.remoteAddress);\n  if (!isAllowed) {\n    response.writeHead(429, { 'retry-after': retryAfter }).end();\n    return log(request, 429, performance.now() - started);\n  }\n  const answer = await handleOrders(request);\n",
            },
          ],
        },
      ],
      ['run_command', { command: 'npm test' }],
    ],
    tokens: [7340, 640, 6144],
  },
  {
    text: '',
    calls: [
      [
        'run_persistent',
        {
          command: 'node src/server.js',
          process_id: 'orders',
          ready_pattern: 'listening',
          env: { PORT: '0' },
        },
      ],
      ['todowrite', todos(3)],
    ],
    tokens: [8120, 210, 7168],
  },
  { text: built, tokens: [8460, 190, 8192] },
  {
    text: 'Sums in floating point lose cents. I change `total.js` to whole cents, remove what nobody calls, and record it.',
    calls: [
      [
        'multi_edit',
        {
          path: 'src/orders/total.js',
          edits: cents.map(([old_string, new_string]) => ({ old_string, new_string })),
        },
      ],
    ],
    tokens: [9240, 520, 8192],
  },
  { text: 'Done: sums are whole cents, and the legacy scripts are gone.', tokens: [9800, 120, 9216] },
];

/** Further pending calls. */
export const pendingCalls: readonly [tool: string, args: Record<string, unknown>][] = [
  ['delete_file', { path: 'legacy', recursive: true }],
  [
    'run_command',
    { command: 'npm test && git commit -am "Whole cents" && git push origin main', network: true },
  ],
];

/** The person's messages, and after which reply they come. */
export const asks = [
  'One client can flood the orders API. Look at @src/server.js and suggest a limit per client.',
  'Yes, build it with tests, and start the service.',
  'Good. Now use whole cents in the totals, drop the legacy scripts, and push it.',
] as const;
