// The result that `--output json` prints, and `stream-json` as its last line: how the turn ended, its usage and its changes.
import type { TurnResult } from '@codelab/agent';
import { TurnEnd } from '@codelab/protocol';
import * as z from 'zod/mini';
import { type StopReason, stopReasons } from './stop-reason.ts';
import { changedFiles, ResultFile, type TurnTally } from './tally.ts';

const count = () => z.int().check(z.minimum(0));
const reasons = Object.keys(stopReasons) as [StopReason, ...StopReason[]];

export const RunResult = () =>
  z.strictObject({
    type: z.literal('result'),
    session: z.string(),
    /** 0 when no turn started. */
    turn: count(),
    stop_reason: z.enum(reasons),
    exit_code: count(),
    /** From the log. */
    end: TurnEnd(),
    text: z.string(),
    /** With --output-schema: the answer, when it matches. */
    output: z.optional(z.unknown()),
    /** Why the turn stopped, unless it completed. */
    message: z.optional(z.string()),
    /** Missing when no model could be opened. */
    model: z.optional(z.string()),
    calls: z.array(
      z.strictObject({
        id: z.string(),
        tool: z.string(),
        status: z.string(),
        code: z.optional(z.string()),
        /** Irreversible effects of the call. */
        warnings: z.optional(z.array(z.string())),
      }),
    ),
    refused: count(),
    usage: z.strictObject({
      input_tokens: count(),
      output_tokens: count(),
      cached_tokens: count(),
      /** As `cost_usd`, when it is known. */
      cost: z.optional(z.number()),
    }),
    /** The cost in US dollars; null when the price of the model is not known. */
    cost_usd: z.nullable(z.number()),
    duration_ms: count(),
    changed_files: z.array(ResultFile()),
  });
export type RunResult = z.infer<ReturnType<typeof RunResult>>;

type Made = TurnResult & {
  session: string;
  model: string | undefined;
  reason: StopReason;
  tally: TurnTally;
  durationMs: number;
  output?: { value: unknown } | undefined;
};

export function makeResult({ tally, reason, output, ...facts }: Made): RunResult {
  const { session, turn, end, text, message, model } = facts;
  const { inputTokens, outputTokens, cachedTokens, cost } = tally;
  return {
    type: 'result',
    session,
    turn,
    stop_reason: reason,
    exit_code: stopReasons[reason].exitCode,
    end,
    text,
    ...(output && { output: output.value }),
    ...(message !== undefined && { message }),
    ...(model !== undefined && { model }),
    calls: tally.calls,
    refused: tally.refused,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cached_tokens: cachedTokens,
      ...(cost !== undefined && { cost }),
    },
    cost_usd: cost ?? null,
    duration_ms: Math.round(facts.durationMs),
    changed_files: changedFiles(tally.effects),
  };
}
