// One connection to an MCP server: opening it, its calls, and failures as messages with a next step.
import { longestTimerMs, ToolError, visible } from '@codelab/protocol';
import { Client, ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { ZodMiniType } from 'zod/mini';
import manifest from '../../../package.json' with { type: 'json' };
import { type OpenTransport, openTransport, type TransportOptions } from './open-transport.ts';

// An initialized connection to one MCP server. We declare no capabilities, so a server cannot ask us for anything: no model, no files, no
// questions to the human.
export type McpConnection = {
  readonly isOpen: boolean;
  readonly hasTools: boolean;
  /** Counts the server's announcements that its tools have changed. */
  readonly changes: number;
  ask<T>(question: Question<T>): Promise<T>;
  close(): Promise<void>;
};

type Question<T> = {
  method: 'tools/list' | 'tools/call';
  params: Record<string, unknown>;
  answer: ZodMiniType<T>;
  /** Ends the wait; without it, the patience limit does. */
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
};

/** Progress that a server reports. */
export type ToolProgress = { progress: number; total?: number | undefined; message?: string | undefined };

const patienceMs = 30_000;

/** `signal` cancels while the connection is being opened. */
export async function openMcpConnection(
  order: TransportOptions,
  signal: AbortSignal,
): Promise<McpConnection> {
  const { name } = order;
  const line = openTransport(order);
  const client = new Client({ name: 'codelab', version: manifest.version });
  let closing: Promise<void> | undefined;
  let isOpen = true;
  let changes = 0;
  client.onclose = () => {
    isOpen = false;
  };
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes++;
  });
  const close = (): Promise<void> => {
    isOpen = false;
    closing ??= line.transport.close();
    return closing;
  };

  try {
    await client.connect(line.transport, { timeout: patienceMs, signal });
  } catch (error) {
    await close();
    throw explainFailure({ error, name, line, during: 'opening' });
  }
  return {
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    get isOpen() {
      return isOpen;
    },
    get changes() {
      return changes;
    },
    async ask({ method, params, answer, signal, onProgress }) {
      // With its own signal, the caller decides how long to wait.
      const timeout = signal === undefined ? patienceMs : longestTimerMs;
      const options = { timeout, ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
      return await client.request({ method, params }, answer, options).catch(async (error: unknown) => {
        signal?.throwIfAborted();
        // A server that sends invalid answers or cannot be reached may have lost the session: the next call reconnects.
        if (!(error instanceof ProtocolError)) await close();
        throw explainFailure({ error, name, line, during: method });
      });
    },
    close,
  };
}

// Why a server failed, as a text for the log and for a model: short, with invisible characters shown, and without secrets.
type Failed = {
  error: unknown;
  name: string;
  line: OpenTransport;
  /** The operation during which the server failed; the effect of a call is then unknown. */
  during: 'opening' | 'tools/list' | 'tools/call';
};

const mostChars = 1500;

function explainFailure({ error, name, line, during }: Failed): ToolError {
  // The end of the output says most. Secrets are removed before the cut, which could leave half of one.
  const printed = line.hide(line.stderr()).trim().slice(-mostChars);
  const problemText = (text: string, isSilent = false): string => {
    const cut = line.hide(text).slice(0, mostChars);
    return visible(
      `The MCP server ${name}${cut}${isSilent || printed === '' ? '' : ` It printed: ${printed}`}`,
    );
  };
  if (error instanceof ToolError) return new ToolError(error.code, problemText(`: ${error.message}`));
  if (error instanceof ProtocolError)
    return new ToolError('EXECUTION_FAILED', problemText(` refused: ${error.message}`, true));
  const code = error instanceof SdkError ? error.code : undefined;
  const reason = line.reason();
  if (reason !== undefined || code === SdkErrorCode.ConnectionClosed)
    return new ToolError(
      during === 'tools/call' ? 'OUTCOME_UNKNOWN' : 'EXECUTION_FAILED',
      problemText(` was lost. ${reason ?? 'It closed the connection.'}`),
    );
  if (code === SdkErrorCode.RequestTimeout)
    return new ToolError('EXECUTION_FAILED', problemText(' did not answer in time.'));
  if (code === SdkErrorCode.InvalidResult)
    return new ToolError('EXECUTION_FAILED', problemText(' answered with something that is no result.'));
  if (error instanceof SdkHttpError) {
    const hint = error.status === 401 || error.status === 403 ? ' Give it a token in `headers`.' : '';
    return new ToolError(
      'EXECUTION_FAILED',
      problemText(` answered ${error.status}: ${error.message}${hint}`),
    );
  }
  return new ToolError('EXECUTION_FAILED', problemText(` can't be reached: ${causeOf(error)}`));
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' ? error.message : `${error.message} (${cause})`;
}
