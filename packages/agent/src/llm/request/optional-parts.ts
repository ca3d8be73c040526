// Parts of a request that a server may not support. A refused part is left out from then on; the user is told where it matters.
import type { ModelFailure } from '../model-failure.ts';

type OptionalPart =
  /** Token counts at the end of a stream. */
  | 'usage'
  /** A summary of the reasoning: OpenAI requires a verified organization. */
  | 'summary'
  | 'effort'
  /** Reasoning in encrypted form, to be sent back. */
  | 'encrypted'
  /** Reasoning of earlier replies. Only the account and server that signed or encrypted it accept it. */
  | 'thoughts'
  | 'cacheKey'
  /** Marks for the provider's prompt cache. */
  | 'cacheMarks'
  /** A streamed reply: for some models OpenAI requires a verified organization. */
  | 'stream'
  | 'images';

/** `notice` is for the user; without one, nothing is lost that a user would miss. */
export type RefusedPart = { notice?: string };

type Row = { part: OptionalPart; pattern: RegExp; statuses: readonly number[]; notice?: string };

const bad = [400, 422];

/** In this order: the rows that name their part most exactly come first. */
const rows: readonly Row[] = [
  { part: 'usage', pattern: /stream_options|include_usage/i, statuses: bad },
  { part: 'cacheKey', pattern: /prompt_cache_key/i, statuses: bad },
  { part: 'cacheMarks', pattern: /cache_control/i, statuses: bad },
  {
    part: 'thoughts',
    pattern: /invalid_encrypted_content|encrypted content.*could not be|signature|thinking.*blocks?\b/i,
    statuses: bad,
  },
  {
    part: 'stream',
    pattern:
      /verified to stream|(?:not|n['’]t) support(?:ed)?\b.{0,20}\bstream|\bstream(?:ing)?\b.{0,20}not supported/i,
    statuses: bad,
  },
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
  /** Call before a request is written. */
  begin(): void;
  /** Whether the part may be sent; records that it was. */
  use(part: OptionalPart): boolean;
  /** Whether the part has not been refused so far. */
  takes(part: OptionalPart): boolean;
  /** Undefined when the refusal concerns nothing that was sent. */
  refuse(trouble: ModelFailure): RefusedPart | undefined;
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
    takes: (part) => !refused.has(part),
    refuse({ message, facts: { status = 0, reason, names = '' } }) {
      if (reason === 'context_length') return undefined;
      const refusal = `${message} ${names}`;
      const row = rows.find(
        ({ part, pattern, statuses }) => used.has(part) && statuses.includes(status) && pattern.test(refusal),
      );
      if (row === undefined) return undefined;
      refused.add(row.part);
      return row.notice === undefined ? {} : { notice: `${model} ${row.notice}` };
    },
  };
}
