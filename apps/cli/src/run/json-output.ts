// For programs: one JSON object at the end.
import { writeText } from '../output/write-text.ts';
import type { RunOutput } from './run-output.ts';

export function jsonOutput(): RunOutput {
  return {
    show: () => undefined,
    end({ session, turn, end, text, message, model, tally }) {
      const { calls, refused, inputTokens, outputTokens, cost } = tally;
      const usage = {
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        ...(cost === undefined ? {} : { cost }),
      };
      const result = {
        session,
        turn,
        end,
        text,
        ...(message === undefined ? {} : { message }),
        model,
        calls,
        refused,
        usage,
      };
      writeText(1, `${JSON.stringify(result)}\n`);
    },
  };
}
