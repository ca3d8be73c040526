// What the model reads of a call to an MCP server.

export function toolResultText({ text, structured }: Record<string, unknown>): string {
  if (typeof text === 'string' && text !== '') return text;
  return structured === undefined ? 'The tool returned nothing.' : JSON.stringify(structured);
}
