// How providers and servers report that a conversation does not fit the model, and how much would.
// Each row names its source; `limit` is the window or the room for the input, in tokens.

type Row = { from: string; pattern: RegExp };

const rows: readonly Row[] = [
  {
    from: 'OpenAI, vLLM, OpenRouter, DeepSeek, LiteLLM',
    pattern: /max(?:imum)? context length(?: is| of|:)\s*(?<limit>[\d,]+)/i,
  },
  { from: 'OpenAI (Responses)', pattern: /exceeds the context window/i },
  { from: 'Anthropic', pattern: /prompt is too long(?::\s*[\d,]+ tokens > (?<limit>[\d,]+))?/i },
  {
    from: 'Anthropic, with max_tokens',
    pattern: /exceed context limit(?::\s*[\d,]+ \+ [\d,]+ > (?<limit>[\d,]+))?/i,
  },
  {
    from: 'Gemini',
    pattern: /input token count.*exceeds the maximum number of tokens allowed(?:\s*\((?<limit>[\d,]+)\))?/i,
  },
  {
    from: 'Vertex AI',
    pattern: /input token count is [\d,]+ but (?:the )?model only supports up to (?<limit>[\d,]+)/i,
  },
  { from: 'Zhipu', pattern: /prompt exceeds max length|prompt 超长/i },
  { from: 'Volcengine', pattern: /input length [\d,]+ exceeds the maximum length (?<limit>[\d,]+)/i },
  { from: 'SiliconFlow', pattern: /must be less than max_seq_len \((?<limit>[\d,]+)/i },
  { from: 'watsonx', pattern: /cannot exceed the total tokens limit (?<limit>[\d,]+)/i },
  { from: 'xAI', pattern: /maximum prompt length is (?<limit>[\d,]+)/i },
  { from: 'Bedrock', pattern: /input is too long for (?:the )?requested model|input is too long/i },
  { from: 'GitHub Copilot', pattern: /prompt token count of [\d,]+ exceeds the limit of (?<limit>[\d,]+)/i },
  { from: 'Moonshot', pattern: /exceeded model token limit(?::?\s*(?<limit>[\d,]+))?/i },
  {
    from: 'Together, text-generation-inference',
    pattern: /inputs`? (?:tokens|must have less)[^.]*(?:must be <=|than) (?<limit>[\d,]+)/i,
  },
  { from: 'vLLM', pattern: /longer than the maximum model length of (?<limit>[\d,]+)/i },
  { from: 'vLLM', pattern: /context length is only (?<limit>[\d,]+)/i },
  { from: 'DashScope', pattern: /range of input length should be \[\d+,\s*(?<limit>[\d,]+)\]/i },
  { from: 'llama.cpp', pattern: /exceeds? the available context size(?:\s*\((?<limit>[\d,]+))?/i },
  { from: 'LM Studio', pattern: /context length of only (?<limit>[\d,]+)/i },
  {
    from: 'LM Studio',
    pattern: /greater than the context length|context overflow|context size has been exceeded/i,
  },
  {
    from: 'vLLM, SGLang',
    pattern: /longer than the model['’]?s context length(?:\s*\((?<limit>[\d,]+))?/i,
  },
  { from: 'servers in general', pattern: /maximum allowed input length of (?<limit>[\d,]+)/i },
  {
    from: 'Groq, Cerebras',
    pattern: /reduce the length of the (?:messages|prompt|input)(?:.*while limit is (?<limit>[\d,]+))?/i,
  },
  { from: 'Mistral', pattern: /too large for model with (?<limit>[\d,]+) maximum context length/i },
  {
    from: 'Cohere',
    pattern: /number of tokens (?:in the prompt|\([^)]*\)) cannot exceed (?<limit>[\d,]+)/i,
  },
  { from: 'MiniMax', pattern: /context window exceeds limit/i },
  { from: 'OpenAI, per minute', pattern: /request too large for .*limit:?\s*(?<limit>[\d,]+)/i },
  {
    from: 'servers in general',
    pattern: /(?:exceed(?:s|ed|ing)?|larger than|longer than|over) .{0,40}context (?:window|length|size)/i,
  },
  {
    from: 'servers in general',
    pattern:
      /context (?:window|length|size|limit)(?: is| was| has been)? exceeded|(?:context|prompt|input) (?:is )?too (?:long|large)\b/i,
  },
];

const codes = new Set([
  'context_length_exceeded',
  'model_context_window_exceeded',
  'exceed_context_size_error',
  'string_above_max_length',
]);

/** Undefined when the message is about something else. */
export function overflowOf(answer: {
  message: string;
  type: string;
  code: string;
}): { limit?: number } | undefined {
  for (const { pattern } of rows) {
    const match = pattern.exec(answer.message);
    if (match === null) continue;
    const limit = Number(match.groups?.limit?.replaceAll(',', ''));
    return limit > 0 ? { limit } : {};
  }
  return codes.has(answer.code) || codes.has(answer.type) ? {} : undefined;
}

/** The providers and servers whose messages are recognised. */
export function overflowSources(): string[] {
  return rows.map(({ from }) => from);
}
