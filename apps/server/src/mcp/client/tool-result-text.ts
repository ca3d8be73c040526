// The text of an MCP server's result for the model.

export function toolResultText({ text, structured }: Record<string, unknown>): string {
  if (typeof text === 'string' && text !== '') return text;
  return structured === undefined ? 'The tool returned nothing.' : JSON.stringify(structured);
}
