import type { DemoStep, DemoTurn } from './demo-turn.ts';

/** The few plain requests that the demo model understands, each of them one call; any other message starts the tour. */
type DemoRequest =
  | { kind: 'call'; tool: string; args: Record<string, unknown> }
  | { kind: 'help' }
  | { kind: 'unclear'; problem: string }
  | { kind: 'tour' };

type Args = Record<string, unknown>;

export function parseRequest(text: string): DemoRequest {
  const request = text.trim().replace(/^please\s+/i, '');
  if (/^(help|\?)\W*$/i.test(request)) return { kind: 'help' };
  const callMatch = /^call\s+([\w:.-]+)\s*([\s\S]*)$/i.exec(request);
  if (callMatch !== null) return readCall(callMatch[1] ?? '', callMatch[2] ?? '');
  for (const [pattern, tool, argsOf] of patterns) {
    const match = pattern.exec(request);
    if (match !== null) return { kind: 'call', tool, args: argsOf(...match.slice(1).map(unquote)) };
  }
  return { kind: 'tour' };
}

const quoted = '"[^"]*"|\'[^\']*\'|`[^`]*`';

const patterns: readonly [RegExp, string, (...groups: string[]) => Args][] = [
  [/^(?:read|show|open|cat)\s+(?:the file\s+)?(\S+)$/i, 'read_file', (path) => ({ path })],
  [/^(?:list|ls)(?:\s+(?:all|the))*(?:\s+files)?$/i, 'list_files', () => ({ path: '.', recursive: true })],
  [/^(?:list|ls)\s+(?:files in\s+)?(\S+)$/i, 'list_files', (path) => ({ path })],
  [
    new RegExp(`^(?:find|search(?: for)?|grep)\\s+(${quoted}|.+?)\\s+in\\s+(\\S+)$`, 'i'),
    'search_in_project',
    (query, path) => ({ query, path }),
  ],
  [
    new RegExp(`^(?:find|search(?: for)?|grep)\\s+(${quoted}|.+)$`, 'i'),
    'search_in_project',
    (query) => ({ query }),
  ],
  [
    new RegExp(`^replace\\s+(${quoted}|.+?)\\s+(?:by|with)\\s+(${quoted}|.+?)\\s+in\\s+(\\S+)$`, 'is'),
    'edit_file',
    (old_string, new_string, path) => ({ path, old_string, new_string, replace_all: true }),
  ],
  [
    /^(?:write|create)\s+(\S+?):\s*([\s\S]+)$/i,
    'write_file',
    (path, content) => ({ path, content: `${content}\n` }),
  ],
  [/^(?:delete|remove)\s+(\S+)$/i, 'delete_file', (path) => ({ path })],
  [/^run\s+(?:the\s+)?tests?\W*$/i, 'run_command', () => ({ command: 'npm test' })],
  [/^(?:run\s+|\$\s*)([\s\S]+)$/i, 'run_command', (command) => ({ command })],
  [/^undo\W*$/i, 'undo', () => ({})],
  [/^redo\W*$/i, 'redo', () => ({})],
];

function readCall(tool: string, json: string): DemoRequest {
  try {
    const args: unknown = JSON.parse(json.trim() || '{}');
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return { kind: 'call', tool, args: args as Args };
  } catch {
    // Invalid JSON is answered below.
  }
  return { kind: 'unclear', problem: `After \`call ${tool}\` I need its arguments as one JSON object.` };
}

function unquote(text: string): string {
  return /^(["'`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}

/** Handles one plain request: makes its call, then reports the result. */
const maxShownChars = 4000;

export const demoHelp = `I understand:
- \`read FILE\`, \`list\`, \`list FOLDER\`
- \`find TEXT\`, \`find TEXT in FOLDER\`
- \`replace X by Y in FILE\`, \`write FILE: TEXT\`, \`delete FILE\`
- \`run COMMAND\`
- \`undo\`, \`redo\`
- \`call TOOL {"argument": "value"}\` for any other tool
- \`demo\`: I fix the sample workspace examples/hello-shop, step by step.`;

export function answerRequest(
  request: Exclude<DemoRequest, { kind: 'tour' }>,
  turn: DemoTurn,
  tools: ReadonlySet<string>,
): DemoStep {
  switch (request.kind) {
    case 'help':
      return { text: demoHelp, calls: [] };
    case 'unclear':
      return { text: request.problem, calls: [] };
    case 'call':
      break;
  }
  const { tool, args } = request;
  const last = turn.finishedCalls.at(-1);
  if (last !== undefined) return { text: report(last.result, last.isError), calls: [] };
  if (!tools.has(tool))
    return { text: `I would use the tool \`${tool}\`, but there is none here.`, calls: [] };
  return { text: `I call \`${tool}\`.`, calls: [{ tool, args }] };
}

function report(result: string, isError: boolean): string {
  const cut = result.length > maxShownChars ? `${result.slice(0, maxShownChars)}\n[…]` : result;
  const fence = '`'.repeat(Math.max(3, ...[...cut.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const body = cut.trim() === '' ? 'It gave nothing back.' : `${fence}\n${cut}\n${fence}`;
  return `${isError ? 'It did not work:' : 'Done:'}\n\n${body}`;
}
