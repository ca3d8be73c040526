// Arguments of a call as somebody typed them. Undefined when they are not one JSON object.
export function readArguments(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
