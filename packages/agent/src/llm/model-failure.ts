// Why one request to a model failed, and whether asking again may help. Only the code that streams replies sees it; others get a
// ToolError.
export type FailureFacts = {
  status?: number;
  /** The failure may pass by itself. */
  mayPass: boolean;
  /** How long the provider asks to wait. */
  waitMs?: number;
  /** `context_length`: the conversation must become shorter; `cut`: the stream ended before the reply did. */
  reason?: string;
  /** The code and the request field that the provider names beside its message. */
  names?: string;
  /** For `context_length`: how many tokens would fit, where the provider says so. */
  limit?: number;
};

export class ModelFailure extends Error {
  readonly facts: FailureFacts;

  constructor(message: string, facts: FailureFacts) {
    super(message);
    this.name = 'ModelFailure';
    this.facts = facts;
  }
}
