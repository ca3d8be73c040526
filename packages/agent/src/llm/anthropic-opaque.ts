// A reply with signed reasoning must go back block by block in its old order; texts and calls are only pointed at.
export type AnthropicOpaque = { blocks: OpaqueBlock[] };

export type OpaqueBlock =
  /** `thinking` and `redacted_thinking`, unchanged. */
  | { thought: Record<string, unknown> }
  /** So many characters of the reply's text. */
  | { text: number }
  /** The call at this place: its id may be changed on the way. */
  | { call: number };
