// An outcome as an MCP client gets it: the text for a model, and the result in our dialect's spelling. A failed call is a result, too, so
// that the model learns what to do next.
import { cutText } from '@codelab/agent';
import { errorTable, type Failure, nextStep, type Outcome } from '@codelab/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FailureContent, OfferedTool } from '../offered-tools.ts';

const maxTextChars = 60_000;
const maxChangeChars = 2000;

export function toolResultOf(
  { row, tool }: OfferedTool,
  wireArgs: Record<string, unknown>,
  outcome: Outcome,
): CallToolResult {
  if (outcome.status !== 'completed') return failedResultOf(outcome.error);
  const { data, changedBy } = outcome;
  const text = cutText(tool.tellPlainly(data), maxTextChars);
  const result = row.toWire(data, wireArgs);
  return {
    content: [
      { type: 'text', text: changedBy === undefined ? text : `${describeChange(changedBy)}\n${text}` },
    ],
    structuredContent: typeof result === 'string' ? { result } : result,
  };
}

export function failedResultOf({ code, message, details }: Failure): CallToolResult {
  const { next } = errorTable[code];
  const structuredContent: FailureContent = { error: { code, message, next, ...(details && { details }) } };
  return {
    content: [
      {
        type: 'text',
        text: [`${code}: ${sentence(message)}`, nextStep({ code, message }) ?? []].flat().join(' '),
      },
    ],
    structuredContent,
    isError: true,
  };
}

type Change = NonNullable<Extract<Outcome, { status: 'completed' }>['changedBy']>;

function describeChange({ kind, args, feedback }: Change): string {
  const change = kind === 'hunks' ? 'took only some hunks of this call' : 'edited this call before it ran';
  const ran = cutText(JSON.stringify(args), maxChangeChars);
  const remark = feedback === undefined ? [] : [`They say: ${feedback}`];
  return [`A human ${change}. What ran: ${ran}`, ...remark].join('\n');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
