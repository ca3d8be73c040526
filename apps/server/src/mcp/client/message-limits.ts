// How much an MCP server may send. One that sends more has failed; the session goes on without it.

export const messageLimits = {
  messageBytes: 8 * 1024 * 1024,
  depth: 64,
  /** In one HTTP response, or from a program within the time below; so many messages, too. */
  streamBytes: 32 * 1024 * 1024,
  messages: 20_000,
  withinMs: 10_000,
} as const;
