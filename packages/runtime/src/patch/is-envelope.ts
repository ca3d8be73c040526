/** Whether a text is a patch between `*** Begin Patch` and `*** End Patch` rather than a unified diff. */
export function isEnvelope(text: string): boolean {
  return /^\s*\*\*\* Begin Patch[ \t\r]*(?:\n|$)/.test(text);
}
