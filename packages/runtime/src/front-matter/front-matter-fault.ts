// What is wrong in the head of a Markdown file, with the place to look at.
import { ToolError } from '@codelab/protocol';

export function frontMatterFault(file: string, line: number, fault: string): ToolError {
  return new ToolError('INVALID_FORMAT', `${file}:${line} ${fault}.`, { file, line });
}
