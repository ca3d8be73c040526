// Which folders of a package a folder may import, and which files have something to themselves. `scripts/boundaries.ts` proves it.

/** From the bottom up: a folder may name only folders above it in the list, so there can be no cycle. `.` is `src` itself. */
export type Layers = Record<string, readonly string[]>;

export const layers: Record<string, Layers> = {
  'apps/server': {
    config: [],
    log: ['config'],
    edge: ['config'],
    agent: ['config'],
    executors: ['config', 'agent'],
    sessions: ['log', 'edge', 'agent', 'executors'],
    observe: ['log', 'edge', 'sessions'],
    mcp: ['config', 'log', 'edge', 'agent', 'sessions'],
    sockets: ['edge', 'executors', 'sessions'],
    http: ['config', 'log', 'edge', 'agent', 'executors', 'sessions', 'observe', 'mcp'],
    '.': ['*'],
  },
  'packages/runtime': {
    platform: [],
    patch: [],
    workspace: ['platform', 'patch'],
    process: ['platform', 'workspace'],
    tool: ['workspace', 'process'],
    policy: ['platform', 'workspace'],
    git: ['platform', 'patch', 'workspace', 'process', 'tool', 'policy'],
    'policy/shell': ['workspace', 'process', 'policy', 'git'],
    search: ['platform', 'workspace', 'tool', 'policy'],
    snapshot: ['platform', 'workspace', 'process', 'tool', 'policy', 'git'],
    sandbox: ['platform', 'workspace', 'process', 'tool', 'policy', 'git', 'snapshot'],
    fingerprint: ['platform', 'workspace', 'process', 'policy', 'git', 'policy/shell', 'snapshot'],
    undo: ['platform', 'patch', 'workspace', 'tool'],
    'held-back': [
      'platform',
      'patch',
      'workspace',
      'process',
      'tool',
      'policy',
      'git',
      'policy/shell',
      'snapshot',
      'undo',
    ],
    commands: [
      'platform',
      'workspace',
      'process',
      'tool',
      'policy',
      'git',
      'policy/shell',
      'snapshot',
      'sandbox',
      'fingerprint',
      'undo',
      'held-back',
    ],
    edit: ['platform', 'patch', 'workspace', 'tool'],
    notebook: ['patch', 'edit'],
    skills: ['workspace'],
    scheduler: ['tool'],
    // A tool leaves it to the core what the rules say.
    tools: [
      'platform',
      'patch',
      'workspace',
      'process',
      'tool',
      'git',
      'search',
      'undo',
      'held-back',
      'commands',
      'edit',
      'notebook',
      'skills',
    ],
    core: ['platform', 'workspace', 'process', 'tool', 'policy', 'sandbox', 'undo', 'held-back', 'scheduler'],
    '.': ['*'],
  },
};

/** What stands in one file, or in files that are named: `text` as it is written, or a file that only these import. */
export const owned: readonly { what: string; text?: RegExp; file?: string; by: readonly string[] }[] = [
  {
    what: 'the end of a call is written',
    // Reading one names its type in `Extract<…>`.
    text: /(?<!Extract<\w+, \{ )type: 'call\.finished'/,
    by: ['packages/runtime/src/core/finish-call.ts'],
  },
  {
    what: 'the judge step',
    file: 'packages/runtime/src/core/judge-call.ts',
    by: ['packages/runtime/src/core/run-call.ts', 'packages/runtime/src/core/ask-human.ts'],
  },
];
