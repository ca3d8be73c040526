// How a turn ends: by the stop reason of the last reply, or by a failure.
import { type ErrorCode, type Reply, ToolError, type TurnEnd } from '@codelab/protocol';

export type TurnEnding = { end: TurnEnd; text: string; message?: string; code?: ErrorCode; reason?: string };

type Unfinished = 'length' | 'paused' | 'empty' | 'uncalled';

/** How often in one turn the model is asked to continue an unfinished reply. */
export const maxContinuations: Record<Unfinished, number> = { length: 3, paused: 8, empty: 1, uncalled: 2 };

export const continuationLimits: Record<Unfinished, { end: TurnEnd; message: string }> = {
  length: {
    end: 'cut_off',
    message:
      'The reply was cut off at the model’s length limit several times in a row. Send “continue” to resume it.',
  },
  paused: {
    end: 'cut_off',
    message: 'The model paused its reply several times in a row. Send “continue” to resume it.',
  },
  empty: {
    end: 'empty',
    message: 'The model returned an empty reply twice. Rephrase the request, or choose another model.',
  },
  uncalled: {
    end: 'cut_off',
    message:
      'The model announced a tool call and sent none, three times in a row. Send “continue”, or choose another model.',
  },
};

export function unfinishedReason({ stop, text, calls }: Reply): Unfinished | undefined {
  if (stop === 'length' || stop === 'paused') return stop;
  if (stop === 'calls' && calls.length === 0) return 'uncalled';
  return text.trim() === '' && stop !== 'refused' ? 'empty' : undefined;
}

export function endByReply({ stop }: Reply, text: string): TurnEnding {
  if (stop !== 'refused') return { end: 'completed', text };
  const message =
    'The model refused to answer, or its provider’s content filter stopped the reply. Rephrase the request.';
  return { end: 'refused', text, message };
}

/** The model repeated the same call too often. */
export function endByRepeats({ tool, times }: { tool: string; times: number }, text: string): TurnEnding {
  const message = `The model called ${tool} ${times} times in the same way and got no further. Send “continue” to let it go on, or say what to do instead.`;
  return { end: 'loop_detected', text, message };
}

export function turnFailure(error: unknown): Pick<TurnEnding, 'message' | 'code' | 'reason'> {
  if (!(error instanceof ToolError))
    return { message: error instanceof Error ? error.message : String(error) };
  const { code, message, details } = error;
  return { code, message, ...(typeof details?.reason === 'string' && { reason: details.reason }) };
}
