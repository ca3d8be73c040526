// What of a result is worth reading first: what was printed or read, told by the fields' names; else all of it.
export type Result = { text: string; isOutput: boolean; exitCode: number | undefined };

const readable = ['content', 'text', 'output', 'message', 'diff'];

export function readResult(data: Record<string, unknown>): Result {
  const exitCode = typeof data.exit_code === 'number' ? data.exit_code : undefined;
  if (typeof data.stdout === 'string' || typeof data.stderr === 'string') {
    // That something was taken away after a command must be seen without opening anything.
    const held = data.held_back !== undefined && Array.isArray(data.notes) ? data.notes.slice(0, 1) : [];
    const text = [data.stdout, data.stderr, ...held]
      .filter((part) => typeof part === 'string' && part !== '')
      .join('\n');
    return { text, isOutput: true, exitCode };
  }
  for (const name of readable) {
    const value = data[name];
    if (typeof value === 'string') return { text: value, isOutput: false, exitCode };
  }
  const isEmpty = Object.keys(data).length === 0;
  return { text: isEmpty ? '' : JSON.stringify(data, null, 2), isOutput: false, exitCode };
}
