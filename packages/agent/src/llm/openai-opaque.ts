// What servers of this family want back with the next request, kept with a reply.
export type OpenaiOpaque = {
  /** Under which name reasoning came, and goes back with the calls it led to. */
  field?: 'reasoning_content' | 'reasoning';
  /** OpenRouter's reasoning blocks, some of them signed. */
  details?: Record<string, unknown>[];
  /** Google's signatures, by the place of the call among all: ids may be changed on the way. */
  extra?: Record<number, unknown>;
};
