// Why one request to a model failed, and whether asking again may help. Only the flow of a reply sees it; others get a ToolError.
export type FailureFacts = {
  status?: number;
  /** It may pass by itself. */
  mayPass: boolean;
  /** How long the provider wants to be left alone. */
  waitMs?: number;
  /** `context_length`: the conversation must become shorter; `cut`: the stream ended before the reply did. */
  reason?: string;
  /** The code and the field of the request that the provider names beside its message. */
  names?: string;
  /** Of `context_length`: how many tokens would fit, where the provider says so. */
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
