// The previous days: small sessions with their calls, for the list of sessions, the usage and the trash.
import type { Said } from './says.ts';

export type Earlier = { daysAgo: number; title: string; ask: string; replies: readonly Said[] };

function note(path: string, line: string): [string, Record<string, unknown>] {
  return ['write_file', { path, content: `# ${line}\n\nWritten while working on it.\n` }];
}

function work(daysAgo: number, title: string, path: string, size: number): Earlier {
  return {
    daysAgo,
    title,
    ask: `${title}, please.`,
    replies: [
      {
        text: 'I read what is there.',
        calls: [
          ['read_file', { path: 'src/orders/store.js' }],
          ['list_files', { path: 'src' }],
        ],
        tokens: [3100 * size, 160 * size, 2048 * size],
      },
      {
        text: 'Now I write it down.',
        calls: [note(path, title)],
        tokens: [4200 * size, 420 * size, 3072 * size],
      },
      { text: `${title}: done.`, tokens: [4800 * size, 150 * size, 4096 * size] },
    ],
  };
}

export const earlier: readonly Earlier[] = [
  work(12, 'Explain how orders are stored', 'docs/store.md', 2),
  work(10, 'Health check for the load balancer', 'docs/health.md', 5),
  work(9, 'Upgrade to Node 24', 'docs/upgrade.md', 3),
  work(6, 'Structured request log', 'docs/log.md', 8),
  work(5, 'Find the slow query', 'docs/slow-query.md', 4),
  work(3, 'Retry the payment webhook', 'docs/webhook.md', 7),
  work(2, 'Document the API', 'docs/errors.md', 6),
  work(1, 'Coupons that expire', 'docs/coupons.md', 3),
];
