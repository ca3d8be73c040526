// Why a server failed, in words that may go to the log and to a model: short, visible, without what it was told in confidence.
import { ToolError, visible } from '@codelab/protocol';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { Line } from './open-line.ts';

type Failed = {
  error: unknown;
  name: string;
  line: Line;
  /** What was under way when it failed; of a call nobody knows then what it has done. */
  during: 'opening' | 'tools/list' | 'tools/call';
};

const mostChars = 1500;

export function explainFailure({ error, name, line, during }: Failed): ToolError {
  // The end of what it printed says most; secrets go first, lest a cut leaves half of one.
  const printed = line.hide(line.stderr()).trim().slice(-mostChars);
  const say = (text: string, isSilent = false): string => {
    const cut = line.hide(text).slice(0, mostChars);
    return visible(
      `The MCP server ${name}${cut}${isSilent || printed === '' ? '' : ` It printed: ${printed}`}`,
    );
  };
  if (error instanceof ToolError) return new ToolError(error.code, say(`: ${error.message}`));
  if (error instanceof ProtocolError)
    return new ToolError('EXECUTION_FAILED', say(` refused: ${error.message}`, true));
  const code = error instanceof SdkError ? error.code : undefined;
  const reason = line.reason();
  if (reason !== undefined || code === SdkErrorCode.ConnectionClosed)
    return new ToolError(
      during === 'tools/call' ? 'OUTCOME_UNKNOWN' : 'EXECUTION_FAILED',
      say(` was lost. ${reason ?? 'It closed the connection.'}`),
    );
  if (code === SdkErrorCode.RequestTimeout)
    return new ToolError('EXECUTION_FAILED', say(' did not answer in time.'));
  if (code === SdkErrorCode.InvalidResult)
    return new ToolError('EXECUTION_FAILED', say(' answered with something that is no result.'));
  if (error instanceof SdkHttpError) {
    const hint = error.status === 401 || error.status === 403 ? ' Give it a token in `headers`.' : '';
    return new ToolError('EXECUTION_FAILED', say(` answered ${error.status}: ${error.message}${hint}`));
  }
  return new ToolError('EXECUTION_FAILED', say(` can't be reached: ${causeOf(error)}`));
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' ? error.message : `${error.message} (${cause})`;
}
