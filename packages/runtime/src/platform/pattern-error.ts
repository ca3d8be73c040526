// What ripgrep says about a pattern it does not take, in one line and without the options it would like to be given.
import { ToolError } from '@codelab/protocol';

export function patternError(said: string, signal?: string | null): ToolError {
  const text = said.trim().split(/\n\s*\n/)[0] ?? '';
  if (text === '') return new ToolError('EXECUTION_FAILED', `ripgrep was ended by ${signal ?? 'an error'}.`);
  const reason = /^error: (.+)/m.exec(text)?.[1] ?? text.replace(/^rg: /, '').split('\n')[0] ?? text;
  return invalidPattern(reason);
}

export function invalidPattern(reason: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `The pattern cannot be searched for: ${reason.slice(0, 500)}.`, {
    field: 'query',
  });
}
