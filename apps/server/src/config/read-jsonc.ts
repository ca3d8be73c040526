// Reads JSON that may hold comments and trailing commas; says what is wrong and where.
import { parseJson, ToolError } from '@codelab/protocol';

const limits = { bytes: 1024 * 1024, depth: 32 };

export function parseJsonc(text: string, file: string): unknown {
  try {
    return parseJson(stripComments(text), limits);
  } catch (error) {
    throw new ToolError('INVALID_FORMAT', `${file}: ${error instanceof Error ? error.message : error}`);
  }
}

// Strings are matched first, so that what looks like a comment inside one stays.
function stripComments(text: string): string {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(
      /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_all, string: string | undefined) => string ?? ' ',
    );
  return plain.replace(
    /("(?:\\.|[^"\\])*")|,(\s*[}\]])/g,
    (_all, string: string | undefined, end: string | undefined) => string ?? end ?? '',
  );
}
