// The limit of a reply's length, as one server accepts it: the field's name, and the maximum. Both are learned from refusals.
import type { ModelFailure } from '../model-failure.ts';

export type LengthField = 'max_tokens' | 'max_completion_tokens' | 'max_output_tokens';

export type LengthLimit = {
  /** Empty when there is no limit. */
  write(maxTokens: number | undefined): Partial<Record<LengthField, number>>;
  /** The maximum, where the server has named it. */
  maximum(): number;
  /** Whether the next request will differ after this refusal. */
  adapt(trouble: ModelFailure): boolean;
};

export function lengthLimit(first: LengthField): LengthLimit {
  let field = first;
  let maximum = Number.POSITIVE_INFINITY;
  return {
    write: (maxTokens) => (maxTokens === undefined ? {} : { [field]: Math.min(maxTokens, maximum) }),
    maximum: () => maximum,
    adapt({ message, facts }) {
      if (facts.reason === 'context_length' || !(facts.status === 400 || facts.status === 422)) return false;
      const namedField = nameIn(message);
      if (namedField !== undefined && namedField !== field && field === first) {
        field = namedField;
        return true;
      }
      const limit = limitIn(message);
      if (limit === undefined || limit >= maximum) return false;
      maximum = limit;
      return true;
    },
  };
}

/** `Use 'max_completion_tokens' instead.` */
function nameIn(message: string): LengthField | undefined {
  const [, name] = /use [`'"]?(max_(?:completion_)?tokens)\b[`'"]? instead/i.exec(message) ?? [];
  return name as LengthField | undefined;
}

/**
 * `max_tokens: 32000 > 8192, which is the maximum`, `supports at most 4096 completion tokens`, `the valid range of max_tokens is [1, 8192]`,
 * `max_completion_tokens must be less than or equal to 8192`.
 */
const limits = [
  /max_tokens: \d+ > (\d+)/i,
  /supports at most (\d+) (?:completion|output) tokens/i,
  /range of max_(?:completion_|output_)?tokens (?:is|should be) \[\d+, ?(\d+)\]/i,
  /max_(?:completion_|output_)?tokens[`'"]? must be (?:less than or equal to|at most|<=) [`'"]?(\d+)/i,
];

function limitIn(message: string): number | undefined {
  const limit = Number(
    limits.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined),
  );
  return limit > 0 ? limit : undefined;
}
