// The few plain requests the demo model understands, each of them one call; whatever else is said starts the tour.
export type Wish =
  | { kind: 'call'; tool: string; args: Record<string, unknown> }
  | { kind: 'help' }
  | { kind: 'unclear'; problem: string }
  | { kind: 'tour' };

type Args = Record<string, unknown>;

export function readWish(text: string): Wish {
  const said = text.trim().replace(/^please\s+/i, '');
  if (/^(help|\?)\W*$/i.test(said)) return { kind: 'help' };
  const named = /^call\s+([\w:.-]+)\s*([\s\S]*)$/i.exec(said);
  if (named !== null) return readCall(named[1] ?? '', named[2] ?? '');
  for (const [pattern, tool, argsOf] of patterns) {
    const match = pattern.exec(said);
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

function readCall(tool: string, json: string): Wish {
  try {
    const args: unknown = JSON.parse(json.trim() || '{}');
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return { kind: 'call', tool, args: args as Args };
  } catch {
    // Said below.
  }
  return { kind: 'unclear', problem: `After \`call ${tool}\` I need its arguments as one JSON object.` };
}

function unquote(text: string): string {
  return /^(["'`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}
