// Parts of a request that a server may not know. One that is refused is left out from then on; the user is told where it matters.
import type { ModelTrouble } from './model-trouble.ts';

type OptionalPart =
  /** Token counts at the end of a stream. */
  | 'usage'
  /** A summary of the reasoning: at OpenAI only for verified organizations. */
  | 'summary'
  | 'effort'
  /** Reasoning in encrypted form, to be sent back. */
  | 'encrypted'
  | 'cacheKey'
  | 'images';

/** `notice` is for the user; without it nothing is lost that they would miss. */
export type Refused = { notice?: string };

type Row = { part: OptionalPart; pattern: RegExp; statuses: readonly number[]; notice?: string };

const bad = [400, 422];

// In this order: what names its part most exactly comes first.
const rows: readonly Row[] = [
  { part: 'usage', pattern: /stream_options|include_usage/i, statuses: bad },
  { part: 'cacheKey', pattern: /prompt_cache_key/i, statuses: bad },
  { part: 'summary', pattern: /reasoning\.summary|reasoning summar/i, statuses: bad },
  { part: 'encrypted', pattern: /encrypted/i, statuses: bad },
  {
    part: 'effort',
    pattern: /reasoning|effort|thinking|output_config|think\b/i,
    statuses: bad,
    notice: 'does not take the reasoning effort that is set. Its default is used.',
  },
  {
    part: 'images',
    pattern: /image|vision|multi-?modal|mmproj|content.*(?:must be|should be|expected).*string/i,
    // OpenRouter answers 404, llama.cpp 500.
    statuses: [...bad, 404, 415, 500, 501],
    notice: 'takes no images. They are left out; choose another model to show them.',
  },
];

export type OptionalParts = {
  /** Before a request is written. */
  begin(): void;
  /** Whether the part may be sent; remembers that it is. */
  use(part: OptionalPart): boolean;
  /** Undefined when the refusal is about nothing that was sent. */
  refuse(trouble: ModelTrouble): Refused | undefined;
};

export function optionalParts(model: string): OptionalParts {
  const refused = new Set<OptionalPart>();
  const used = new Set<OptionalPart>();
  return {
    begin: () => used.clear(),
    use(part) {
      if (refused.has(part)) return false;
      used.add(part);
      return true;
    },
    refuse({ message, facts: { status = 0, reason } }) {
      if (reason === 'context_length') return undefined;
      const row = rows.find(
        ({ part, pattern, statuses }) => used.has(part) && statuses.includes(status) && pattern.test(message),
      );
      if (row === undefined) return undefined;
      refused.add(row.part);
      return row.notice === undefined ? {} : { notice: `${model} ${row.notice}` };
    },
  };
}
